#include "record/synthesis/process_records.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owned.h"
#include "base/text_scanner.h"
#include "reader/writer/records/mmap.h"
#include "reader/writer/records/process.h"
#include "record/machine/number_text.h"

namespace perfsift::record {

namespace {

using Clock = std::chrono::steady_clock;

FileDescriptor open_at(int folder, const std::string& path, int flags = O_RDONLY) {
  return FileDescriptor(openat(folder, path.c_str(), flags | O_CLOEXEC));
}

// The first bytes of a file, as many as one read() gives.
std::optional<std::string> beginning_of(int folder, const std::string& path) {
  std::array<char, 4096> buffer;
  const FileDescriptor file = open_at(folder, path);
  const ssize_t got = file ? read(file.get(), buffer.data(), buffer.size()) : -1;
  return got >= 0 ? std::optional(std::string(buffer.data(), static_cast<std::size_t>(got))) : std::nullopt;
}

std::int32_t number_behind(std::string_view status, std::string_view key) {
  const auto text = value_of(status, key);
  return static_cast<std::int32_t>(read_number(text).value_or(0));
}

std::vector<std::int32_t> threads_of(int process) {
  std::vector<std::int32_t> tids;
  FileDescriptor folder = open_at(process, "task", O_RDONLY | O_DIRECTORY);
  if (!folder) return tids;
  const Owned<DIR, closedir> entries(fdopendir(dup(folder.get())));
  while (const dirent* entry = entries ? readdir(entries.get()) : nullptr) {
    if (const auto tid = read_number(entry->d_name)) tids.push_back(static_cast<std::int32_t>(*tid));
  }
  return tids;
}

// Calls take(line) for each line of a file until it returns false. A line longer than the kernel writes ends the file.
template <typename Take>
void each_line(int file, Take take) {
  constexpr std::size_t longest_line = 4 * 4096 + 128;  // a path whose bytes are all escaped
  std::array<char, 4 * longest_line> buffer;
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    const ssize_t got = read(file, buffer.data() + filled, buffer.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    filled += static_cast<std::size_t>(got);
    std::string_view text(buffer.data(), filled);
    while (text.find('\n') != std::string_view::npos) {
      if (!take(take_line(text))) return;
    }
    std::memmove(buffer.data(), text.data(), text.size());
    filled = text.size();
  }
}

}  // namespace

struct ProcessRecords::Process {
  std::int32_t pid = 0, parent = 0;
  FileDescriptor folder;  // /proc/PID
};

std::optional<std::int32_t> process_of(const KernelRoots& roots, std::int32_t tid) {
  const auto status = beginning_of(AT_FDCWD, fmt::format("{}/{}/status", roots.proc, tid));
  const std::int32_t pid = status ? number_behind(*status, "Tgid") : 0;
  return pid != 0 ? std::optional(pid) : std::nullopt;
}

ProcessRecords::ProcessRecords(const ProcessSources& sources)
    : sources_(sources),
      encoding_{.order = ByteOrder::native, .trailer = reader::Trailer::zeros(sources.plan.sample_type)} {}

void ProcessRecords::add(std::int32_t pid) {
  Process process{.pid = pid, .parent = 0, .folder = FileDescriptor()};
  process.folder = open_at(AT_FDCWD, fmt::format("{}/{}", sources_.plan.roots.proc, pid), O_RDONLY | O_DIRECTORY);
  const auto status = process.folder ? beginning_of(process.folder.get(), "status") : std::nullopt;
  if (!status) return;  // has ended
  process.parent = number_behind(*status, "PPid");

  ++counts_.processes;
  bool has_memory = false;
  for (const std::int32_t tid : threads_of(process.folder.get())) {
    add_thread(process, tid);
    // Threads share their memory. The first thread may have ended before the others.
    if (!has_memory) has_memory = add_mappings(process, tid);
  }
}

// The order is perf's: __event__synthesize_thread().
void ProcessRecords::add_thread(const Process& process, std::int32_t tid) {
  const auto name = beginning_of(process.folder.get(), fmt::format("task/{}/comm", tid));
  if (!name) return;
  ++counts_.threads;
  const std::int32_t parent = tid == process.pid ? process.parent : process.pid;
  append(encode_fork(
      {.pid = process.pid, .parent_pid = parent, .tid = tid, .parent_tid = parent, .time = 0, .synthesised = true},
      encoding_));
  if (sources_.plan.namespaces) add_namespaces(process, tid);

  constexpr std::size_t longest_name = 15;  // TASK_COMM_LEN without the NUL; names of kernel workers are longer here
  std::string_view comm = *name;
  if (comm.ends_with('\n')) comm.remove_suffix(1);
  append(encode_comm({.pid = process.pid, .tid = tid, .name = comm.substr(0, longest_name)}, encoding_));
}

// In the order of the enum in include/uapi/linux/perf_event.h (NET_NS_INDEX…). What cannot be read is 0.
void ProcessRecords::add_namespaces(const Process& process, std::int32_t tid) {
  reader::Namespaces namespaces{.pid = process.pid, .tid = tid, .links = {}};
  for (const char* name : {"net", "uts", "ipc", "pid", "user", "mnt", "cgroup"}) {
    struct stat status {};
    const std::string path = fmt::format("task/{}/ns/{}", tid, name);
    if (fstatat(process.folder.get(), path.c_str(), &status, 0) != 0) status = {};
    namespaces.links.push_back({.device = status.st_dev, .inode = status.st_ino});
  }
  append(encode_namespaces(namespaces, encoding_));
}

bool ProcessRecords::add_mappings(const Process& process, std::int32_t tid) {
  const FileDescriptor maps = open_at(process.folder.get(), fmt::format("task/{}/maps", tid));
  if (!maps) return false;
  const auto end = Clock::now() + sources_.plan.longest_read;
  bool any = false;
  each_line(maps.get(), [&](std::string_view line) {
    const auto mapping = parse_mapping(line);
    if (!mapping) return true;
    any = true;
    const bool late = Clock::now() > end;
    const bool code = (mapping->protection & PROT_EXEC) != 0;
    const bool data = sources_.plan.data_mappings && (mapping->protection & PROT_READ) != 0;
    if (code || data || late) add_mapping(process, tid, *mapping, late);
    counts_.cut_processes += late ? 1 : 0;
    return !late;
  });
  return any;
}

void ProcessRecords::add_mapping(const Process& process, std::int32_t tid, const ProcMapping& mapping,
                                 bool incomplete) {
  ++counts_.mappings;
  std::string name = recorded_name(mapping.path);
  reader::Mmap mmap{.pid = process.pid,
                    .tid = tid,
                    .start = mapping.start,
                    .length = mapping.end - mapping.start,
                    .page_offset = mapping.offset,
                    .protection = mapping.protection,
                    .flags = mapping.flags,
                    .file = FileIdentity{mapping.device_major, mapping.device_minor, mapping.inode, 0},
                    .data = (mapping.protection & PROT_EXEC) == 0,
                    .incomplete = incomplete};
  if (!sources_.huge_pages.empty() && name.starts_with(sources_.huge_pages)) {
    name = "//anon";
    mmap.flags |= MAP_HUGETLB;
  }
  mmap.path = name;
  if (sources_.plan.build_ids) mmap.build_id = sources_.files.build_id(process.folder.get(), mapping);
  append(encode_mmap2(mmap, reader::CpuMode::user, encoding_));
}

void ProcessRecords::append(const std::vector<std::byte>& record) {
  records_.insert(records_.end(), record.begin(), record.end());
}

}  // namespace perfsift::record
