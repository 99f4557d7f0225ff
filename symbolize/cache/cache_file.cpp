#include "symbolize/cache/cache_file.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbolize/cache/flat_tables.h"
#include "symbolize/files/file_stamp.h"
#include "symbolize/files/whole_file.h"

namespace perfsift::symbolize {

namespace {

constexpr std::array<char, 8> cache_magic = {'p', 's', 'i', 'f', 't', 's', 'y', 'm'};

// All numbers are in this machine's byte order; a file of the other byte order has another version.
struct Header {
  std::array<char, 8> magic = {};
  std::uint32_t version = 0;
  std::uint32_t part_count = 0;
  std::uint64_t list_offset = 0;
  std::uint64_t list_checksum = 0;
  std::uint64_t checksum = 0;  // of what is before it
};
static_assert(FlatValue<Header> && FlatValue<CacheFile::Part>);

// liblzma computes it by special instructions: 8 GB a second.
std::uint64_t checksum_of(Bytes bytes) {
  return lzma_crc64(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), 0);
}

std::uint64_t checksum_of(const Header& header) {
  return checksum_of(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, checksum)));
}

std::optional<Header> read_header(Bytes file) {
  Header header;
  if (file.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, file.data(), sizeof header);
  const bool good =
      header.magic == cache_magic && header.version == CacheFile::version && header.checksum == checksum_of(header);
  return good ? std::optional(header) : std::nullopt;
}

}  // namespace

std::shared_ptr<const CacheFile> CacheFile::open(const std::string& path, std::string_view origin) {
  Missing ignored;
  const FileDescriptor opened = open_regular_file(path, ignored);
  struct stat status;
  if (!opened || fstat(opened.get(), &status) != 0 || !is_own_alone(status)) return nullptr;
  auto mapped = MappedFile::of(opened);
  if (!mapped) return nullptr;
  std::shared_ptr<CacheFile> file(new CacheFile(std::move(mapped)));
  if (!file->read_list()) return nullptr;
  FlatReader made_from(file->part(0));
  return std::ranges::equal(made_from.read<char>(), origin) && made_from.done() ? file : nullptr;
}

// The list ends where the file ends, so a file that was cut off is noticed at once.
bool CacheFile::read_list() {
  const Bytes bytes = file_->bytes();
  const auto header = read_header(bytes);
  if (!header || header->list_offset > bytes.size() || header->list_offset % alignof(Part) != 0) return false;
  const Bytes list = bytes.subspan(header->list_offset);
  if (list.size() != std::uint64_t{header->part_count} * sizeof(Part) || checksum_of(list) != header->list_checksum)
    return false;
  parts_ = {reinterpret_cast<const Part*>(list.data()), header->part_count};
  return true;
}

Bytes CacheFile::unchecked(std::size_t number) const {
  const Bytes bytes = file_->bytes();
  if (number >= parts_.size()) return {};
  const Part& part = parts_[number];
  if (part.offset % 8 != 0 || part.offset > bytes.size() || part.size > bytes.size() - part.offset) return {};
  return bytes.subspan(part.offset, part.size);
}

Bytes CacheFile::part(std::size_t number) const {
  const Bytes bytes = unchecked(number);
  return !bytes.empty() && checksum_of(bytes) == parts_[number].checksum ? bytes : Bytes{};
}

CacheFileWriter::CacheFileWriter(std::string path, std::string origin, std::uint64_t limit)
    : path_(std::move(path)), origin_(std::move(origin)), limit_(limit) {}

CacheFileWriter::~CacheFileWriter() { give_up(); }

void CacheFileWriter::open() {
  if (file_ || failed_) return;
  temporary_ = (path_ + ".XXXXXX").append(temporary_suffix);
  const int descriptor = mkostemps(temporary_.data(), static_cast<int>(temporary_suffix.size()), O_CLOEXEC);
  failed_ = descriptor < 0;
  if (failed_) return;
  file_.reset(fdopen(descriptor, "w"));
  if (!file_) close(descriptor);
  write_start();
}

// The header is not known before the end.
void CacheFileWriter::write_start() {
  const Header unknown_yet;
  write(std::as_bytes(std::span(&unknown_yet, 1)));
  FlatWriter made_from;
  made_from.write(std::span<const char>(origin_));
  append(made_from.bytes(), checksum_of(made_from.bytes()));
}

void CacheFileWriter::give_up() {
  failed_ = true;
  file_.reset();
  if (!temporary_.empty()) unlink(temporary_.c_str());
  temporary_.clear();
}

void CacheFileWriter::write(Bytes bytes) {
  if (failed_) return;
  size_ += bytes.size();
  const bool fits = file_ && size_ <= limit_;
  if (!fits || std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) give_up();
}

void CacheFileWriter::append(Bytes part, std::uint64_t checksum) {
  constexpr std::array<std::byte, 8> zeros = {};
  parts_.push_back({.offset = size_, .size = part.size(), .checksum = checksum});
  write(part);
  write(std::span(zeros).first((8 - part.size() % 8) % 8));
}

void CacheFileWriter::add(Bytes part) {
  open();
  append(part, checksum_of(part));
}

void CacheFileWriter::add_unchanged(const CacheFile& from, std::size_t number) {
  const Bytes part = from.unchecked(number);
  if (part.empty()) return add_missing();
  open();
  append(part, from.checksum(number));
}

void CacheFileWriter::add_missing() {
  open();
  parts_.emplace_back();
}

void CacheFileWriter::commit() {
  open();
  const Bytes list = std::as_bytes(std::span(parts_));
  Header header{.magic = cache_magic,
                .version = CacheFile::version,
                .part_count = static_cast<std::uint32_t>(parts_.size()),
                .list_offset = size_,
                .list_checksum = checksum_of(list)};
  header.checksum = checksum_of(header);
  write(list);
  if (failed_) return;
  const bool written = std::fseek(file_.get(), 0, SEEK_SET) == 0 &&
                       std::fwrite(&header, sizeof header, 1, file_.get()) == 1 && std::fflush(file_.get()) == 0;
  if (!written || std::rename(temporary_.c_str(), path_.c_str()) != 0) return give_up();
  temporary_.clear();
}

}  // namespace perfsift::symbolize
