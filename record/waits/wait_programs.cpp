// Built only where clang and libbpf are there: see record/CMakeLists.txt.
#include "record/waits/wait_programs.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <span>
#include <string_view>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <fmt/format.h>

#include "base/byte_reader.h"
#include "base/clock_time.h"
#include "base/error.h"
#include "base/owned.h"
#include "record/waits/copied_registers.h"
#include "record/waits/embedded_programs.h"

namespace perfsift::record {
namespace {

constexpr std::uint32_t only = 0;  // the key of an array with one element
constexpr const char* instead = "or record every switch: leave --in-kernel away";

// --- messages of libbpf ---

// libbpf prints hundreds of lines if the kernel refuses a program: the last lines say why.
class LibbpfMessages {
 public:
  LibbpfMessages() : before_(libbpf_set_print(&take)) { text().clear(); }
  ~LibbpfMessages() { libbpf_set_print(before_); }
  LibbpfMessages(const LibbpfMessages&) = delete;
  LibbpfMessages& operator=(const LibbpfMessages&) = delete;

  static std::string last_lines() {
    constexpr std::size_t enough = 1500;
    std::string_view all = text();
    while (all.ends_with('\n')) all.remove_suffix(1);
    if (all.size() <= enough) return std::string(all);
    all.remove_prefix(all.size() - enough);
    all.remove_prefix(std::min(all.find('\n') + 1, all.size()));
    return "…\n" + std::string(all);
  }

 private:
  static std::string& text() {
    static thread_local std::string all;
    return all;
  }
  [[gnu::format(printf, 2, 0)]] static int take(libbpf_print_level level, const char* format, va_list arguments) {
    if (level == LIBBPF_DEBUG) return 0;
    va_list again;
    va_copy(again, arguments);
    const int size = std::vsnprintf(nullptr, 0, format, again);
    va_end(again);
    if (size <= 0) return size;
    std::string line(static_cast<std::size_t>(size), '\0');
    std::vsnprintf(line.data(), line.size() + 1, format, arguments);
    text() += line;
    return size;
  }

  libbpf_print_fn_t before_;
};

[[noreturn]] void refuse(std::string_view what, int error) {
  if (error == EPERM || error == EACCES) {
    throw Error(fmt::format(
        "--in-kernel: the kernel lets only root (CAP_BPF and CAP_PERFMON) load BPF programs: use sudo, {}", instead));
  }
  throw Error(
      fmt::format("--in-kernel: {}: {} ({}).\n{}", what, std::strerror(error), instead, LibbpfMessages::last_lines()));
}

// --- the object ---

void close_object(bpf_object* object) { bpf_object__close(object); }
void destroy_link(bpf_link* link) { bpf_link__destroy(link); }
using OwnedObject = std::unique_ptr<bpf_object, decltype(&close_object)>;
using OwnedLink = std::unique_ptr<bpf_link, decltype(&destroy_link)>;
using OwnedTypes = std::unique_ptr<btf, decltype(&btf__free)>;

// The types of the running kernel, in which the loader finds the places of members.
OwnedTypes kernel_types() {
  OwnedTypes types(btf__load_vmlinux_btf(), btf__free);
  if (types) return types;
  throw Error(fmt::format(
      "--in-kernel: the types of this kernel cannot be read (/sys/kernel/btf/vmlinux: {}): mount /sys, or use a kernel "
      "that was built with CONFIG_DEBUG_INFO_BTF, {}",
      std::strerror(errno), instead));
}

// The number of arguments of a tracepoint; 0: the kernel has no such tracepoint. The first parameter of the type is not
// among the arguments.
std::uint32_t tracepoint_arguments(const btf& types, const char* name) {
  const int id = btf__find_by_name_kind(&types, fmt::format("btf_trace_{}", name).c_str(), BTF_KIND_TYPEDEF);
  if (id < 0) return 0;
  const btf_type* pointer = btf__type_by_id(&types, btf__type_by_id(&types, static_cast<std::uint32_t>(id))->type);
  if (pointer == nullptr || !btf_is_ptr(pointer)) return 0;
  const btf_type* const function = btf__type_by_id(&types, pointer->type);
  return function != nullptr && btf_is_func_proto(function) && btf_vlen(function) != 0 ? btf_vlen(function) - 1u : 0;
}

wait_config config_of(const WaitPlan& plan, const btf& types) {
  constexpr std::uint32_t with_state = 4;
  wait_config config{};
  config.over = plan.over;
  config.shortest = plan.shortest;
  config.longest = plan.longest;
  config.states = plan.states;
  config.copied = std::min<std::uint32_t>(plan.copied_stack, WAIT_MOST_COPIED);
  config.registers = kernel_registers();
  config.stack_pointer = kernel_stack_pointer();
  config.user_stacks = plan.user_stacks;
  config.kernel_stacks = plan.kernel_stacks;
  config.by_pid = plan.some_processes || !plan.pids.empty();
  config.by_tid = !plan.tids.empty();
  config.by_comm = !plan.comms.empty();
  config.by_cgroup = !plan.cgroups.empty();
  config.inherit = plan.inherit;
  config.user_threads = plan.user_threads;
  config.kernel_threads = plan.kernel_threads;
  config.switch_has_state = tracepoint_arguments(types, "sched_switch") >= with_state;
  return config;
}

// --- maps ---

template <typename T>
using PerCpu = std::vector<T>;

void update(int map, const void* key, const void* value) {
  if (bpf_map_update_elem(map, key, value, BPF_ANY) != 0)
    throw Error(fmt::format("--in-kernel: a map of the BPF programs cannot be written: {}", std::strerror(errno)));
}

// Calls take(keys, values) for batches of all elements of a hash map. `read`: bpf_map_lookup_batch(), or the function
// that also deletes.
template <typename Key, typename Value, typename Read, typename Take>
void read_all(int map, Read&& read, Take&& take) {
  constexpr std::uint32_t batch = 4096;
  std::vector<Key> keys(batch);
  std::vector<Value> values(batch);
  std::uint32_t position = 0, next = 0;  // as large as a number of a bucket
  for (bool is_first = true;; is_first = false, position = next) {
    std::uint32_t count = batch;
    const int status = read(map, is_first ? nullptr : &position, &next, keys.data(), values.data(), &count, nullptr);
    const int error = status == 0 ? 0 : errno;
    if (error != 0 && error != ENOENT) {
      // A bucket with more elements than a batch (ENOSPC) cannot be: the hash of the kernel is seeded.
      throw Error(fmt::format("--in-kernel: a map of the BPF programs cannot be read: {}", std::strerror(error)));
    }
    take(std::span(keys).first(count), std::span(values).first(count));
    if (error == ENOENT) return;
  }
}

class LoadedPrograms : public WaitPrograms {
 public:
  LoadedPrograms(const WaitPlan& plan, Tracepoints tracepoints) : sends_(plan.over != 0) {
    const LibbpfMessages messages;
    const OwnedTypes types = kernel_types();
    const wait_config config = config_of(plan, *types);
    const bool is_typed = tracepoints == Tracepoints::typed && open(plan, config, embedded_wait_programs());
    if (!is_typed && !open(plan, config, embedded_wait_programs_of_raw_tracepoints()))
      refuse("the kernel does not take the BPF programs", error_);
    fill_filters(plan);
    if (plan.count_programs) counting_ = FileDescriptor(bpf_enable_stats(BPF_STATS_RUN_TIME));
    if (plan.count_programs && !counting_) refuse("the kernel does not count the time of BPF programs", errno);
    tables_ = {map("wait_table_a"), map("wait_table_b")};
    per_cpu_.resize(static_cast<std::size_t>(std::max(libbpf_num_possible_cpus(), 1)));
  }

  void add_process(std::uint32_t pid) override {
    const std::uint8_t one = 1;
    update(map("wait_pids"), &pid, &one);
  }

  void attach() override {
    const LibbpfMessages messages;
    bpf_program* program = nullptr;
    bpf_object__for_each_program(program, object_.get()) {
      bpf_link* const link = bpf_program__attach(program);
      if (link == nullptr) refuse(fmt::format("{} cannot be attached", bpf_program__section_name(program)), errno);
      links_.emplace_back(link, destroy_link);
    }
  }

  void start(std::uint64_t begin) override { control({.begin = begin, .enabled = 1, .unused = 0}); }
  void stop() override { control({}); }

  std::vector<Row> take_rows() override {
    const int full = tables_[in_use_];
    in_use_ = 1 - in_use_;
    update(map("wait_tables"), &only, &tables_[in_use_]);  // returns when no program uses the full one
    std::vector<Row> rows;
    read_all<wait_key, wait_row>(full, take_batch, [&](auto keys, auto values) {
      for (std::size_t i = 0; i < keys.size(); ++i) rows.emplace_back(keys[i], values[i]);
    });
    return rows;
  }

  std::vector<Thread> threads() override {
    std::vector<Thread> threads;
    read_all<std::uint32_t, wait_thread>(map("wait_threads"), read_batch, [&](auto keys, auto values) {
      for (std::size_t i = 0; i < keys.size(); ++i) threads.emplace_back(keys[i], values[i]);
    });
    return threads;
  }

  void take_stacks(std::unordered_map<std::uint64_t, WaitStack>& stacks) override {
    read_all<std::uint64_t, wait_stack>(map("wait_stacks"), take_batch, [&](auto keys, auto values) {
      for (std::size_t i = 0; i < keys.size(); ++i) stacks.try_emplace(keys[i], words_of(values[i]));
    });
  }

  WaitStack stack(std::uint64_t hash) override {
    wait_stack found{};
    return bpf_map_lookup_elem(map("wait_stacks"), &hash, &found) == 0 ? words_of(found) : WaitStack();
  }

  wait_counts counts() override {
    wait_counts sum{};
    if (bpf_map_lookup_elem(map("wait_counts"), &only, per_cpu_.data()) != 0) return sum;
    for (const wait_counts& cpu : per_cpu_) {
      for (__u64 wait_counts::*const count :
           {&wait_counts::switches, &wait_counts::wakeups, &wait_counts::sent, &wait_counts::not_sent,
            &wait_counts::left_out, &wait_counts::left_out_time, &wait_counts::no_thread, &wait_counts::no_stack,
            &wait_counts::unseen, &wait_counts::rows, &wait_counts::stacks, &wait_counts::filtered})
        sum.*count += cpu.*count;
    }
    return sum;
  }

  ProgramUse use() const override {
    ProgramUse sum;
    bpf_program* program = nullptr;
    bpf_object__for_each_program(program, object_.get()) {
      bpf_prog_info info{};
      std::uint32_t size = sizeof info;
      if (bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size) != 0) continue;
      sum.runs += info.run_cnt;
      sum.nanoseconds += info.run_time_ns;
    }
    return sum;
  }

  std::uint64_t now() const override { return clock_time(CLOCK_MONOTONIC); }
  int events() const override { return sends_ ? map("wait_events") : -1; }

 private:
  static int take_batch(int map, void* in, void* out, void* keys, void* values, std::uint32_t* count, const void*) {
    return bpf_map_lookup_and_delete_batch(map, in, out, keys, values, count, nullptr);
  }
  static int read_batch(int map, void* in, void* out, void* keys, void* values, std::uint32_t* count, const void*) {
    return bpf_map_lookup_batch(map, in, out, keys, values, count, nullptr);
  }
  static WaitStack words_of(const wait_stack& stack) {
    const std::size_t count = std::min<std::size_t>(stack.words, std::size(stack.word));
    return {stack.word, stack.word + count};
  }

  bool open(const WaitPlan& plan, const wait_config& config, Bytes object) {
    const bpf_object_open_opts options{.sz = sizeof options, .object_name = "perfsift"};
    object_.reset(bpf_object__open_mem(object.data(), object.size(), &options));
    if (!object_) return error_ = errno, false;
    const auto resize = [&](const char* name, std::size_t elements) {
      bpf_map* const some = bpf_object__find_map_by_name(object_.get(), name);
      bpf_map__set_max_entries(some, static_cast<std::uint32_t>(std::max<std::size_t>(elements, 1)));
    };
    resize("wait_table_a", plan.rows);
    resize("wait_table_b", plan.rows);
    // The tables that can be put there are like this one. libbpf 1.1 cannot resize the one that the object describes.
    pattern_ = FileDescriptor(bpf_map_create(BPF_MAP_TYPE_HASH, "wait_table", sizeof(wait_key), sizeof(wait_row),
                                             static_cast<std::uint32_t>(plan.rows), nullptr));
    if (!pattern_) return error_ = errno, false;
    bpf_map__set_inner_map_fd(bpf_object__find_map_by_name(object_.get(), "wait_tables"), pattern_.get());
    resize("wait_threads", plan.threads);
    resize("wait_stacks", plan.stacks);
    resize("wait_events", plan.event_bytes);
    constexpr std::size_t most_bytes = std::size_t{64} << 20;  // of kernel memory
    const std::size_t copies = std::min(plan.copies, most_bytes / (sizeof(wait_copy) + config.copied));
    resize("wait_copies", config.copied != 0 ? copies : 1);
    const auto set_value_size = [&](const char* name, std::size_t bytes) {
      bpf_map* const some = bpf_object__find_map_by_name(object_.get(), name);
      bpf_map__set_value_size(some, static_cast<std::uint32_t>(sizeof(wait_copy) + bytes));
    };
    set_value_size("wait_copies", config.copied);
    set_value_size("wait_copy_scratch", config.copied + WAIT_PAGE);
    constexpr std::size_t most_processes = 16384;  // processes that start others
    resize("wait_pids", config.by_pid != 0 ? most_processes : 1);
    resize("wait_tids", config.by_tid != 0 ? most_processes : 1);
    resize("wait_comms", plan.comms.size());
    resize("wait_cgroups", plan.cgroups.size());
    bpf_map* const constants = bpf_object__find_map_by_name(object_.get(), ".rodata");
    error_ = -bpf_map__set_initial_value(constants, &config, sizeof config);
    if (error_ == 0) error_ = -bpf_object__load(object_.get());
    return error_ == 0;
  }

  void fill_filters(const WaitPlan& plan) {
    const std::uint8_t one = 1;
    for (const std::uint32_t pid : plan.pids) update(map("wait_pids"), &pid, &one);
    for (const std::uint32_t tid : plan.tids) update(map("wait_tids"), &tid, &one);
    for (const std::uint64_t cgroup : plan.cgroups) update(map("wait_cgroups"), &cgroup, &one);
    for (const std::string& comm : plan.comms) {
      std::array<char, WAIT_COMM> name{};
      comm.copy(name.data(), name.size() - 1);
      update(map("wait_comms"), name.data(), &one);
    }
  }

  void control(const wait_control& value) { update(map("wait_control"), &only, &value); }

  int map(const char* name) const { return bpf_object__find_map_fd_by_name(object_.get(), name); }

  const bool sends_;
  FileDescriptor pattern_, counting_;
  OwnedObject object_{nullptr, close_object};
  std::vector<OwnedLink> links_;  // after the object, so that they end first
  std::array<int, 2> tables_{};
  std::size_t in_use_ = 0;
  int error_ = 0;
  PerCpu<wait_counts> per_cpu_;
};

}  // namespace

std::string WaitPrograms::why_missing() { return {}; }

std::unique_ptr<WaitPrograms> WaitPrograms::load(const WaitPlan& plan, Tracepoints tracepoints) {
  return std::make_unique<LoadedPrograms>(plan, tracepoints);
}

}  // namespace perfsift::record
