#include "symbolize/files/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include "symbolize/files/whole_file.h"

namespace perfsift::symbolize {

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
  Missing ignored;
  return of(open_regular_file(path, ignored));
}

std::shared_ptr<const MappedFile> MappedFile::of(const FileDescriptor& file) {
  struct stat status;
  if (!file || fstat(file.get(), &status) != 0 || status.st_size <= 0) return nullptr;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (at == MAP_FAILED) return nullptr;
  return std::shared_ptr<const MappedFile>(new MappedFile(Bytes(static_cast<const std::byte*>(at), size)));
}

MappedFile::~MappedFile() { munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size()); }

}  // namespace perfsift::symbolize
