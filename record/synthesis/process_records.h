// The records of one process that runs already: see synthesis.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reader/writer/records/encoded_record.h"
#include "record/synthesis/mapped_files.h"
#include "record/synthesis/synthesis.h"

namespace perfsift::record {

// What all processes share. Thread-safe.
struct ProcessSources {
  const SynthesisPlan& plan;
  MappedFiles& files;
  std::string huge_pages;  // where hugetlbfs is mounted; empty: nowhere
};

// Makes records, one process after the other. One per thread.
class ProcessRecords {
 public:
  explicit ProcessRecords(const ProcessSources& sources);

  // Adds the records of a process to records(). `pid`: also the number of a thread that is not the first.
  void add(std::int32_t pid);

  const std::vector<std::byte>& records() const { return records_; }
  void clear() { records_.clear(); }
  const SynthesisCounts& counts() const { return counts_; }

 private:
  struct Process;
  void add_thread(const Process& process, std::int32_t tid);
  void add_namespaces(const Process& process, std::int32_t tid);
  // False if the thread has no memory of its own: it is the kernel's, or has ended.
  bool add_mappings(const Process& process, std::int32_t tid);
  void add_mapping(const Process& process, std::int32_t tid, const ProcMapping& mapping, bool incomplete);
  void append(const std::vector<std::byte>& record);

  const ProcessSources& sources_;
  reader::Encoding encoding_;
  std::vector<std::byte> records_;
  SynthesisCounts counts_;
};

// The first number of the process of a thread (its Tgid); nothing if there is no such thread.
std::optional<std::int32_t> process_of(const KernelRoots& roots, std::int32_t tid);

}  // namespace perfsift::record
