#include "reader/packed_input.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "reader/packed/manifest.h"
#include "reader/packed/tar_header.h"

namespace perfsift::reader {
namespace {

// The bytes of an input that is mapped.
class MappedSource : public ByteSource {
 public:
  explicit MappedSource(Bytes bytes) : bytes_(bytes) {}
  std::size_t read(std::span<std::byte> out) override {
    const std::size_t size = std::min(out.size(), bytes_.size());
    std::copy_n(bytes_.begin(), size, out.begin());
    bytes_ = bytes_.subspan(size);
    return size;
  }

 private:
  Bytes bytes_;
};

class FilesInMemory : public PackedFiles {
 public:
  void add(const ManifestFile& file, Mapped contents) {
    for (const std::string& purpose : file.purposes) by_purpose_.try_emplace(purpose, files_.size());
    files_.push_back({.path = file.path, .bytes = contents.bytes()});
    memory_.push_back(std::move(contents));
  }
  void add(const ManifestMissing& missing) { missing_.try_emplace(missing.purpose, missing.why); }

  const PackedFile* find(std::string_view purpose) const override {
    const auto found = by_purpose_.find(purpose);
    return found == by_purpose_.end() ? nullptr : &files_[found->second];
  }
  std::string_view why_missing(std::string_view purpose) const override {
    const auto found = missing_.find(purpose);
    return found == missing_.end() ? std::string_view() : found->second;
  }

 private:
  std::vector<Mapped> memory_;
  std::vector<PackedFile> files_;
  std::map<std::string, std::size_t, std::less<>> by_purpose_;
  std::map<std::string, std::string, std::less<>> missing_;
};

// Reads the members one after the other.
class Unpacking {
 public:
  Unpacking(ByteSource& source, const std::string& input) : source_(source), input_(input) {}

  std::string manifest() {
    const TarMember member = next_header();
    if (member.name != manifest_member || member.size > largest_manifest) fail("its manifest is damaged");
    const Mapped contents = read_contents(member.size);
    const Bytes bytes = contents.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  // The next member, which must be `expected`.
  Mapped member(const ManifestMember& expected) {
    const TarMember found = next_header();
    if (found.name != expected.member)
      fail(fmt::format("'{}' is where its manifest has '{}'", printable(found.name), printable(expected.member)));
    if (found.size != expected.size)
      fail(fmt::format("'{}' has another size than its manifest says", printable(found.name)));
    Mapped contents = read_contents(found.size);
    if (crc32_of(contents.bytes()) != expected.crc32)
      fail(fmt::format("'{}' has other contents than its manifest says", printable(found.name)));
    return contents;
  }

  // Reads the rest, which must be empty blocks: the checksums of a container are behind all contents.
  void end() {
    std::array<std::byte, tar_block> block;
    for (std::size_t size = 0; size <= most_padding; size += block.size()) {
      const std::size_t got = read_fully(source_, block);
      if (std::ranges::any_of(std::span(block).first(got), [](std::byte b) { return b != std::byte{0}; }))
        fail("more follows than its manifest says");
      if (got < block.size()) return check_container();
    }
    fail("more follows than its manifest says");
  }

 private:
  static constexpr std::size_t most_padding = std::size_t{1} << 20;  // tar fills whole records
  static constexpr std::size_t most_in_memory = std::size_t{16} << 20;
  static constexpr std::size_t piece_size = std::size_t{64} << 20;

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}: not a whole packed recording: {}; copy or pack it again", input_, what));
  }
  void check_container() const {
    if (const std::string damage = source_.damage(); !damage.empty()) fail(damage);
  }
  void fill(std::span<std::byte> out) {
    if (read_fully(source_, out) == out.size()) return;
    check_container();
    fail("the archive is cut off");
  }

  TarMember next_header() {
    TarHeader header;
    fill(header);
    ReadTarHeader read = parse_tar_header(header);
    if (!read.member) fail(printable(read.why));
    return std::move(*read.member);
  }

  Mapped read_contents(std::uint64_t size) {
    Mapped contents = size <= most_in_memory ? read_into_memory(size) : read_into_file(size);
    std::array<std::byte, tar_block> padding;
    fill(std::span(padding).first(padded_to_tar_block(size) - size));
    return contents;
  }
  Mapped read_into_memory(std::size_t size) {
    if (size == 0) return {};
    Mapped memory = new_memory(size);
    fill(memory.writable());
    return memory;
  }
  // In pieces, so that a size that lies takes no room that its bytes do not fill.
  Mapped read_into_file(std::size_t size) {
    TemporaryFile file;
    for (std::size_t left = size; left != 0;) {
      const std::size_t piece = std::min(left, piece_size);
      const Mapped room = file.extend(piece);
      fill(room.writable().first(piece));
      left -= piece;
    }
    return file.map().first(size);
  }

  ByteSource& source_;
  const std::string& input_;
};

}  // namespace

bool is_packed_recording(Bytes first) { return begins_with_tar_member(first, manifest_member); }

bool may_be_packed(Bytes first) {
  const std::string_view name = manifest_member.substr(0, first.size());
  return !first.empty() && std::memcmp(first.data(), name.data(), name.size()) == 0;
}

InputFile unpacked(InputFile input) {
  MappedSource mapped(input.mapped.bytes());
  Unpacking unpacking(input.source ? *input.source : mapped, input.path);
  const Manifest manifest = Manifest::parse(unpacking.manifest(), input.path);

  InputFile result{.path = input.path};
  for (const ManifestRecording& file : manifest.recording) {
    InputFile part{.path = input.path, .mapped = unpacking.member(file), .modified_seconds = file.modified_seconds};
    if (&file == &manifest.recording.front())
      result = std::move(part);
    else
      result.further.push_back(std::move(part));
  }
  const auto files = std::make_shared<FilesInMemory>();
  for (const ManifestFile& file : manifest.files) files->add(file, unpacking.member(file));
  for (const ManifestMissing& missing : manifest.missing) files->add(missing);
  unpacking.end();
  result.packed = files;
  return result;
}

}  // namespace perfsift::reader
