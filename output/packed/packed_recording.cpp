#include "output/packed/packed_recording.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <zstd.h>

#include "base/error.h"
#include "base/owned.h"
#include "base/path.h"
#include "reader/packed/tar_header.h"
#include "symbolize/search/debug_files.h"

namespace perfsift::output {
namespace {

using reader::ManifestFile;
using reader::ManifestRecording;
using symbolize::UsedFile;

// Text compresses well at this level, and a million samples take less than a second.
constexpr int compression_level = 6;

bool is_clean_absolute(std::string_view path) {
  if (!path.starts_with('/')) return false;
  const auto is_odd = [](unsigned char c) { return c < ' ' || c == 0x7f || c == '\\'; };
  if (std::ranges::any_of(path, is_odd)) return false;
  const std::string with_end = std::string(path) + '/';
  return with_end.find("//") == std::string::npos && with_end.find("/./") == std::string::npos &&
         with_end.find("/../") == std::string::npos;
}

std::string_view recorded_path(const UsedFile& file, const std::string& symfs) {
  std::string_view path = file.path;
  if (!symfs.empty() && path.starts_with(symfs)) path.remove_prefix(symfs.size());
  return path;
}

// Whether the file lies under its build id, as in the caches of perf and of debuginfod.
bool lies_under_its_id(const UsedFile& file) {
  const std::string id = file.build_id.hex();
  return id.size() > 2 && (file.path.find('/' + id + '/') != std::string::npos ||
                           file.path.find('/' + id.substr(0, 2) + '/' + id.substr(2)) != std::string::npos);
}

// Where `--symfs` looks for the file in an unpacked archive; empty if the path cannot be a name there.
std::string place_of(const UsedFile& file, const std::string& symfs) {
  const std::string cache = "files/.debug";  // perf's build-id cache below a symfs
  if (file.path == "[vdso]")
    return file.build_id.empty() ? std::string() : symbolize::build_id_path(cache, file.build_id) + "/vdso";
  if (base_name(file.path) == "kallsyms" && !file.build_id.empty())
    return fmt::format("{}/[kernel.kallsyms]/{}/kallsyms", cache, file.build_id.hex());
  if (file.mapped_path.empty() && lies_under_its_id(file))
    return symbolize::build_id_path("files/usr/lib/debug", file.build_id) + ".debug";
  // What was mapped may have been found elsewhere: in a cache, or below the root of a container.
  const std::string_view path = file.mapped_path.empty() ? recorded_path(file, symfs) : file.mapped_path;
  return is_clean_absolute(path) ? fmt::format("files{}", path) : std::string();
}

// Gives each member a name of its own.
class MemberNames {
 public:
  std::string take(std::string wanted) {
    const bool fits = !wanted.empty() && reader::encode_tar_header({.name = wanted});
    if (!fits || names_.contains(wanted)) wanted = fmt::format("other/{}", ++others_);
    names_.insert(wanted);
    return wanted;
  }

 private:
  std::set<std::string> names_;
  unsigned others_ = 0;
};

class Planner {
 public:
  explicit Planner(const PackedContent& content) : content_(content) {}

  PackPlan plan() {
    for (const reader::RecordingFile& file : content_.recording) add_recording(file);
    for (const auto& [purpose, file] : content_.used) {
      if (file.why_missing.empty())
        add_file(purpose, file);
      else
        plan_.manifest.missing.push_back(
            {.path = file.path, .build_id = file.build_id, .purpose = purpose, .why = file.why_missing});
    }
    check_size();
    return std::move(plan_);
  }

 private:
  // A folder's files keep their names: perfsift opens the unpacked folder.
  void add_recording(const reader::RecordingFile& file) {
    const bool alone = content_.recording.size() == 1;
    ManifestRecording member;
    member.member = names_.take(fmt::format("recording/{}", alone ? "perf.data" : base_name(file.path)));
    member.modified_seconds = file.modified_seconds;
    add(member, file.bytes, file.modified_seconds);
    plan_.manifest.recording.push_back(std::move(member));
  }

  void add_file(const std::string& purpose, const UsedFile& file) {
    const auto [known, is_new] =
        numbers_.try_emplace({file.path, file.bytes.data(), file.bytes.size()}, plan_.manifest.files.size());
    if (is_new) {
      ManifestFile member;
      member.member = names_.take(place_of(file, content_.symfs));
      member.path = recorded_path(file, content_.symfs);
      member.build_id = file.build_id;
      add(member, file.bytes, 0);
      plan_.manifest.files.push_back(std::move(member));
    }
    plan_.manifest.files[known->second].purposes.push_back(purpose);
  }

  void add(reader::ManifestMember& member, Bytes bytes, std::int64_t modified_seconds) {
    if (bytes.size() > reader::largest_tar_member)
      throw InputError(fmt::format("{}: larger than {} GiB, which is the most that can be packed", member.member,
                                   (reader::largest_tar_member + 1) >> 30));
    member.size = bytes.size();
    member.crc32 = reader::crc32_of(bytes);
    plan_.members.push_back({.name = member.member, .bytes = bytes, .modified_seconds = modified_seconds});
  }

  void check_size() const {
    if (plan_.recording_size() + plan_.files_size() > reader::most_unpacked)
      throw InputError(
          fmt::format("the recording and its files are larger than {} GiB, which is the most that can be "
                      "packed: filter the recording first",
                      reader::most_unpacked >> 30));
  }

  const PackedContent& content_;
  PackPlan plan_;
  MemberNames names_;
  std::map<std::tuple<std::string, const std::byte*, std::size_t>, std::size_t> numbers_;  // of files
};

// Compresses what is written.
class ZstdOutput {
 public:
  explicit ZstdOutput(OutputFile& out) : out_(out), stream_(ZSTD_createCStream()) {
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_compressionLevel, compression_level);
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
  }
  void write(Bytes bytes) { compress(bytes, ZSTD_e_continue); }
  void end() { compress({}, ZSTD_e_end); }
  std::uint64_t size() const { return size_; }  // so far, compressed

 private:
  void compress(Bytes bytes, ZSTD_EndDirective how) {
    ZSTD_inBuffer from{bytes.data(), bytes.size(), 0};
    for (bool more = true; more;) {
      ZSTD_outBuffer to{buffer_.data(), buffer_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(stream_.get(), &to, &from, how);
      if (ZSTD_isError(left) != 0) throw Error(fmt::format("zstd: {}", ZSTD_getErrorName(left)));
      out_.write({buffer_.data(), to.pos});
      size_ += to.pos;
      more = how == ZSTD_e_end ? left != 0 : from.pos < from.size;
    }
  }

  OutputFile& out_;
  Owned<ZSTD_CStream, ZSTD_freeCStream> stream_;
  std::uint64_t size_ = 0;
  std::vector<char> buffer_ = std::vector<char>(ZSTD_CStreamOutSize());
};

void write_member(const PackedMember& member, ZstdOutput& out) {
  const auto header = reader::encode_tar_header(
      {.name = member.name, .size = member.bytes.size(), .modified_seconds = member.modified_seconds});
  if (!header) throw Error(member.name + ": cannot be a member of a tar archive");
  constexpr std::array<std::byte, reader::tar_block> zeros{};
  out.write(*header);
  out.write(member.bytes);
  out.write(std::span(zeros).first(reader::padded_to_tar_block(member.bytes.size()) - member.bytes.size()));
}

template <typename Members>
std::uint64_t size_of(const Members& members) {
  return std::accumulate(members.begin(), members.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& member) { return sum + member.size; });
}

}  // namespace

std::uint64_t PackPlan::recording_size() const { return size_of(manifest.recording); }
std::uint64_t PackPlan::files_size() const { return size_of(manifest.files); }

PackPlan plan_pack(const PackedContent& content) { return Planner(content).plan(); }

std::uint64_t write_packed(const PackPlan& plan, OutputFile& out) {
  ZstdOutput compressed(out);
  const std::string manifest = plan.manifest.json();
  write_member({.name = std::string(reader::manifest_member), .bytes = std::as_bytes(std::span(manifest))}, compressed);
  for (const PackedMember& member : plan.members) write_member(member, compressed);
  constexpr std::array<std::byte, reader::tar_end_size> end{};
  compressed.write(end);
  compressed.end();
  return compressed.size();
}

}  // namespace perfsift::output
