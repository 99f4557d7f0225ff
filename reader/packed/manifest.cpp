#include "reader/packed/manifest.h"

#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_scanner.h"
#include "base/version.h"
#include "reader/packed/tar_header.h"

namespace perfsift::reader {
namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;
constexpr const char* version_key = "perfsift-pack";

std::string encoded(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c >= ' ' && c <= '~' && c != '%')
      result += c;
    else
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

std::string decoded(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::string_view digits = text.substr(1, 2);
    const auto byte = text.front() == '%' && digits.size() == 2 ? take_hex(digits) : std::nullopt;
    result += byte && digits.empty() ? static_cast<char>(*byte) : text.front();
    text.remove_prefix(byte && digits.empty() ? 3 : 1);
  }
  return result;
}

Json json_of(const ManifestMember& member) {
  return {{"member", encoded(member.member)}, {"size", member.size}, {"crc32", member.crc32}};
}

Json json_of(const ManifestFile& file) {
  Json json = json_of(static_cast<const ManifestMember&>(file));
  json["path"] = encoded(file.path);
  if (!file.build_id.empty()) json["build_id"] = file.build_id.hex();
  for (const std::string& purpose : file.purposes) json["for"].push_back(encoded(purpose));
  return json;
}

Json json_of(const ManifestMissing& missing) {
  Json json = {{"path", encoded(missing.path)}};
  if (!missing.build_id.empty()) json["build_id"] = missing.build_id.hex();
  json["for"] = encoded(missing.purpose);
  json["why"] = encoded(missing.why);
  return json;
}

// Reads the values of JSON, which throws if they have another type.
std::string text_at(const Json& json, const char* key) { return decoded(json.at(key).get<std::string>()); }
BuildId build_id_at(const Json& json) {
  return json.contains("build_id") ? BuildId::from_hex(json.at("build_id").get<std::string>()) : BuildId();
}

void read_member(const Json& json, ManifestMember& member) {
  member.member = text_at(json, "member");
  member.size = json.at("size").get<std::uint64_t>();
  member.crc32 = json.at("crc32").get<std::string>();
}

ManifestRecording recording_of(const Json& json) {
  ManifestRecording recording;
  read_member(json, recording);
  recording.modified_seconds = json.at("modified").get<std::int64_t>();
  return recording;
}

ManifestFile file_of(const Json& json) {
  ManifestFile file;
  read_member(json, file);
  file.path = text_at(json, "path");
  file.build_id = build_id_at(json);
  for (const Json& purpose : json.at("for")) file.purposes.push_back(decoded(purpose.get<std::string>()));
  return file;
}

Manifest manifest_of(const Json& json) {
  Manifest manifest;
  for (const Json& recording : json.at("recording")) manifest.recording.push_back(recording_of(recording));
  for (const Json& file : json.at("files")) manifest.files.push_back(file_of(file));
  for (const Json& missing : json.at("missing"))
    manifest.missing.push_back({.path = text_at(missing, "path"),
                                .build_id = build_id_at(missing),
                                .purpose = text_at(missing, "for"),
                                .why = text_at(missing, "why")});
  return manifest;
}

// Whether tar would write the member below the folder in which the archive is unpacked.
bool stays_below(std::string_view name) {
  for (std::string_view rest = name;;) {
    const std::size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) return name.find('\0') == std::string_view::npos;
    rest.remove_prefix(slash + 1);
  }
}

// Throws what is wrong with the members as a whole.
class MemberCheck {
 public:
  explicit MemberCheck(const std::string& input) : input_(input) {}

  void add(const ManifestMember& member) {
    if (!stays_below(member.member)) fail("is outside of the archive's folder", member);
    if (!names_.insert(member.member).second || member.member == manifest_member) fail("is in it twice", member);
    if (member.size > largest_tar_member) fail("is too large", member);
    total_ += member.size;
    if (total_ > most_unpacked)
      throw InputError(
          fmt::format("{}: the packed recording is larger than {} GiB when it is unpacked: unpack it with "
                      "tar -xf, and give the recording and --symfs files",
                      input_, most_unpacked >> 30));
  }

 private:
  [[noreturn]] void fail(std::string_view what, const ManifestMember& member) const {
    throw InputError(
        fmt::format("{}: not a packed recording that can be read: '{}' {}", input_, printable(member.member), what));
  }

  const std::string& input_;
  std::set<std::string> names_;
  std::uint64_t total_ = 0;
};

void check(const Manifest& manifest, const std::string& input) {
  MemberCheck members(input);
  for (const ManifestMember& recording : manifest.recording) members.add(recording);
  for (const ManifestMember& file : manifest.files) members.add(file);
  if (manifest.recording.empty()) throw InputError(input + ": the packed recording has no recording in it");
}

}  // namespace

std::string crc32_of(Bytes bytes) {
  const auto* const data = reinterpret_cast<const Bytef*>(bytes.data());
  return fmt::format("{:08x}", crc32_z(0, data, bytes.size()));
}

std::string Manifest::json() const {
  Json json = {{version_key, version}, {"made_by", fmt::format("perfsift {}", perfsift::version())}};
  for (const char* list : {"recording", "files", "missing"}) json[list] = Json::array();
  for (const ManifestRecording& each : recording) {
    json["recording"].push_back(json_of(each));
    json["recording"].back()["modified"] = each.modified_seconds;
  }
  for (const ManifestFile& file : files) json["files"].push_back(json_of(file));
  for (const ManifestMissing& each : missing) json["missing"].push_back(json_of(each));
  return json.dump(1) + '\n';
}

Manifest Manifest::parse(std::string_view text, const std::string& input) {
  Manifest manifest;
  try {
    const Json json = Json::parse(text);
    if (const int found = json.at(version_key).get<int>(); found != version)
      throw InputError(
          fmt::format("{}: packed by a later perfsift (version {} of the form; this one reads version {}): "
                      "read it with a newer perfsift, or unpack it with tar -xf",
                      input, found, version));
    manifest = manifest_of(json);
  } catch (const nlohmann::json::exception&) {
    throw InputError(
        fmt::format("{}: the manifest {} is damaged: copy or pack the recording again", input, manifest_member));
  }
  check(manifest, input);
  return manifest;
}

}  // namespace perfsift::reader
