#include "symbolize/jit/jit_files.h"

#include <cerrno>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "symbolize/files/file_stamp.h"
#include "symbolize/files/mapped_file.h"
#include "symbolize/search/live_process.h"
#include "symbolize/search/used_files.h"

namespace perfsift::symbolize {

namespace {

// Opens `path` below `root`. Links must not lead out of `root`: links in a container mean the container's files. On
// kernels that cannot check this (before 5.6) the last part of the path may not be a link.
FileDescriptor open_below(const std::string& root, const std::string& path, int flags) {
  if (root.empty()) return FileDescriptor(open(path.c_str(), flags));
  const FileDescriptor folder(open(root.c_str(), O_PATH | O_CLOEXEC | O_DIRECTORY));
  if (!folder) return {};
  open_how how = {};
  how.flags = static_cast<unsigned>(flags);
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  const long opened = syscall(SYS_openat2, folder.get(), path.c_str(), &how, sizeof how);
  if (opened >= 0 || (errno != ENOSYS && errno != EPERM)) return FileDescriptor(static_cast<int>(opened));
  return FileDescriptor(open((root + path).c_str(), flags | O_NOFOLLOW));
}

Missing reason_of_failure() {
  return errno == ENOENT || errno == ENOTDIR ? Missing::file_missing : Missing::file_unreadable;
}

struct PathInRoot {
  std::string root;  // of a container; empty: none
  std::string path;
};

JitFile open_at(const PathInRoot& place, const BelievedOwners& owners) {
  JitFile found{.path = place.root + place.path, .file = {}};
  constexpr int look = O_PATH | O_CLOEXEC;  // opens no pipe and no device
  const FileDescriptor link = open_below(place.root, place.path, look | O_NOFOLLOW);
  const FileDescriptor target = link ? open_below(place.root, place.path, look) : FileDescriptor();
  struct stat of_link, of_target, of_file;
  if (!target || fstat(link.get(), &of_link) != 0 || fstat(target.get(), &of_target) != 0) {
    found.missing = reason_of_failure();
    return found;
  }
  found.missing = owners.include(of_link, of_target) ? Missing::file_unreadable : Missing::foreign_owner;
  if (found.missing == Missing::foreign_owner || !S_ISREG(of_target.st_mode)) return found;

  FileDescriptor file = open_below(place.root, place.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  const bool same = file && fstat(file.get(), &of_file) == 0 && of_file.st_dev == of_target.st_dev &&
                    of_file.st_ino == of_target.st_ino;
  if (same) {
    found.file = std::move(file);
    found.missing = Missing::none;
  }
  return found;
}

}  // namespace

bool BelievedOwners::include(const struct stat& status) const {
  return anybody || is_own(status) || (process && status.st_uid == *process);
}

bool BelievedOwners::include(const struct stat& link, const struct stat& status) const {
  return include(link) && include(status) && (anybody || is_own(link) || link.st_uid == status.st_uid);
}

void add_foreign_owner(const JitFile& ignored, SymbolTable& names) {
  names.set_missing(Missing::foreign_owner);
  names.add_warning(
      {ignored.path, "not owned by the current user, root or the process, ignoring it (use --force to override)"});
}

namespace {

JitFile open_jit_file_here(const Binary& binary, const std::string& inside, const std::string& outside,
                           const SymbolizeOptions& options) {
  BelievedOwners owners{.anybody = options.force || !options.symfs.empty(), .process = {}};
  const auto open_there = [&](const PathInRoot& place) {
    JitFile found = open_at(place, owners);
    if (found.missing != Missing::foreign_owner || owners.process) return found;
    owners.process = user_of_process(binary, options);
    return owners.process ? open_at(place, owners) : std::move(found);
  };
  if (const std::string root = foreign_root(binary, options); !root.empty()) {
    JitFile found = open_there({.root = root, .path = inside});
    if (found.file || found.missing != Missing::file_missing) return found;
  }
  return open_there({.root = {}, .path = options.symfs + outside});
}

// A packed file comes into a file in memory without a name: what reads maps and dumps needs a descriptor.
JitFile open_packed(const Binary& binary, const std::string& purpose) {
  const PackedFile* const packed = binary.packed ? binary.packed->find(purpose) : nullptr;
  if (packed == nullptr) return {};
  JitFile found{.path = packed->path, .file = FileDescriptor(memfd_create("perfsift", MFD_CLOEXEC))};
  Bytes rest = packed->bytes;
  while (found.file && !rest.empty()) {
    const ssize_t written = write(found.file.get(), rest.data(), rest.size());
    if (written < 0 && errno != EINTR) found.file = {};
    if (written > 0) rest = rest.subspan(static_cast<std::size_t>(written));
  }
  found.missing = found.file ? Missing::none : Missing::file_unreadable;
  return found;
}

void note_use(const std::string& purpose, const JitFile& found, UsedFiles& used) {
  const auto mapped = found.file ? MappedFile::of(found.file) : nullptr;
  if (mapped)
    used.add(purpose,
             {.path = found.path, .build_id = {}, .bytes = mapped->bytes(), .owner = mapped, .why_missing = {}});
}

}  // namespace

JitFile open_jit_file(const Binary& binary, const std::string& inside, const std::string& outside,
                      const SymbolizeOptions& options) {
  const std::string purpose = purpose_of(made_code_role, outside);
  JitFile found = open_packed(binary, purpose);
  if (!found.file) found = open_jit_file_here(binary, inside, outside, options);
  if (options.used) note_use(purpose, found, *options.used);
  return found;
}

}  // namespace perfsift::symbolize
