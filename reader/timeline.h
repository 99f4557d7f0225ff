// Who was running what, mapped where, and when.
//
// Built once from the side-band records (FORK, COMM, MMAP, KSYMBOL, …), in the order of their
// Moments; after that it never changes, so any number of threads may ask it about samples in any
// order. A streamed recording asks while it is still growing: questions about moments up to the
// last record applied are answered as they will be at the end.
//
// An address space is a persistent (copy on write) balanced tree of mappings: each change makes a
// new version and leaves the old ones alone. So a fork shares its parent's tree, a version is one
// number (MapsVersion), and "what was mapped there at that time" is: find the version, then search
// its tree.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/binary.h"
#include "reader/record.h"
#include "reader/records/namespaces.h"

namespace perfsift::reader {

struct Mapping {
  std::uint64_t start = 0;
  std::uint64_t end = 0;                          // exclusive
  std::uint64_t page_offset = 0;                  // of `start` in the file (perf: pgoff)
  std::uint32_t binary = CodeAddress::no_binary;  // index into Timeline::binaries()
  std::uint32_t protection = 0;                   // PROT_*; MMAP records: PROT_EXEC unless they say data
  std::uint32_t flags = 0;                        // MAP_*
  bool identity = false;                          // addresses are not translated: perf's map__map_ip() is the identity

  // The place in the binary: what CodeAddress::offset holds, and what perf 6.1 prints for user
  // frames of a callchain.
  std::uint64_t to_offset(std::uint64_t address) const { return identity ? address : address - start + page_offset; }
  bool operator==(const Mapping&) const = default;
};

// One version of one address space. 0 is the empty one. Equal numbers mean equal mappings.
using MapsVersion = std::uint32_t;
// An interned name; 0 is "no name was recorded". Equal numbers mean equal names.
using NameId = std::uint32_t;

// What is known about a thread at a moment, and until when that stays so: a cache of it is good for
// all moments in [from, until).
struct ThreadState {
  std::int32_t pid = -1;  // of its process (perf: thread->pid_)
  NameId comm = 0;
  MapsVersion maps = 0;
  MapsVersion kernel_maps = 0;
  Moment from;
  Moment until = end_of_time;
};

// How perf versions differ from what is right.
struct TimelineRules {
  // A program that was exec'ed starts with an empty address space. perf keeps the old program's
  // mappings until new ones cover them.
  bool exec_clears_maps = true;
  // Code that a process made is named by its jitdump. perf wants `perf inject --jit` to be run first.
  bool jit_dumps = true;
};

class Timeline {
 public:
  explicit Timeline(TimelineRules rules = {});
  ~Timeline();
  Timeline(Timeline&&) noexcept;
  Timeline& operator=(Timeline&&) noexcept;

  // --- building: in ascending order of Moments ---

  // What the recording says about the machine; before the first record.
  void set_architecture(std::string_view arch);  // "x86_64", "aarch64", …
  void set_same_kernel(bool same);               // for Binary::same_kernel
  // From the BUILD_ID feature: of all mappings of that name that do not bring their own.
  void set_build_id(std::string_view path, const BuildId& id, CpuMode mode);

  // Whether apply() does anything with records of this type.
  static bool takes(RecordType type);
  // Takes MMAP, MMAP2, COMM, FORK, EXIT, KSYMBOL, BPF_EVENT, CGROUP, NAMESPACES, TEXT_POKE; ignores
  // all other types. False when the record is malformed (it is then not applied). A moment earlier
  // than one before it counts as that one: perf, too, applies late records when it gets them.
  bool apply(const Record& record, Moment moment, const SampleId& id);

  // --- asking: const, thread-safe once built ---
  // Pointers and spans are good until the next apply(); views of names and cgroups as long as the
  // Timeline. While it still grows, `until` is only as good as what has been applied.

  // `pid` is only used for a tid nobody has heard of, which then belongs to that process
  // (machine__findnew_thread()).
  ThreadState thread(std::int32_t pid, std::int32_t tid, Moment moment) const;
  // The name perf prints: ":TID" where there was none, "swapper" for tid 0.
  std::string comm(std::int32_t tid, const ThreadState& state) const;
  std::string_view name(NameId id) const;
  std::uint32_t name_count() const;

  const Mapping* find(MapsVersion version, std::uint64_t address) const;
  // Every mapping of a version, in ascending order.
  std::vector<Mapping> mappings(MapsVersion version) const;
  std::span<const Binary> binaries() const;

  // Where an ip of a sample or callchain lies. Kernel and hypervisor modes look in the kernel maps,
  // user in the thread's, others nowhere. `return_address` only passes through.
  CodeAddress resolve(const ThreadState& state, CpuMode mode, std::uint64_t address, bool return_address) const;
  const Mapping* mapping(const ThreadState& state, CpuMode mode, std::uint64_t address) const;

  std::int32_t parent(std::int32_t pid, Moment moment) const;  // -1: unknown
  std::string_view cgroup(std::uint64_t id) const;             // empty: unknown
  // Of the process's main thread; others may have entered namespaces of their own (setns()).
  std::span<const NamespaceLink> namespaces(std::int32_t pid, Moment moment) const;
  // All that records told of, in ascending order, and the main threads of their processes: for `info`.
  std::vector<std::int32_t> thread_ids() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::reader
