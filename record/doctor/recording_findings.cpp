#include "record/doctor/recording_findings.h"

#include <string>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "reader/format/attr_names.h"
#include "record/doctor/event_findings.h"
#include "record/events/why_not_opened.h"
#include "record/kernel_features.h"
#include "record/machine/online_cpus.h"

namespace perfsift::record {
namespace {

namespace flag = reader::attr_flag;

constexpr CounterPlace first_cpu{.tid = -1, .cpu = 0};

// A setting that cannot be read may be any.
Finding not_known(Finding finding) {
  finding.health = Health::limited;
  finding.meaning = "not known; whether events open is in other lines";
  return finding;
}

bool opens(const EventRequest& event, const CounterPlace& place, const Machine& machine) {
  return machine.open(event.attr, place) == 0;
}

// What a level of 0 or more leaves to this user. The data of tracepoints needs -1: perf_allow_tracepoint().
std::string left_to_user(const Machine& machine) {
  const EventRequest with_kernel = clock_event(machine, true);
  const bool kernel = opens(with_kernel, this_thread, machine), cpus = opens(with_kernel, first_cpu, machine);
  if (kernel && cpus) return "no tracepoints for users";
  return fmt::format("own programs {} the kernel (-p, a command), {}all CPUs (-a), no tracepoints",
                     kernel ? "with" : "without", cpus ? "" : "not ");
}

// perf_event_paranoid as users know it, with what the kernel makes of it.
Finding rights(const Machine& machine) {
  const SystemSettings& settings = machine.settings;
  Finding finding{.subject = "rights"};
  const std::string level = settings.paranoid ? fmt::format("kernel.perf_event_paranoid is {}", *settings.paranoid)
                                              : "kernel.perf_event_paranoid cannot be read (no /proc, or a kernel "
                                                "without perf events)";
  if (settings.may_observe) {
    finding.fact = level + ", and this user has CAP_PERFMON or CAP_SYS_ADMIN, to whom it does not apply";
    return finding;
  }
  finding.fact = level;
  if (!settings.paranoid) return not_known(std::move(finding));
  if (*settings.paranoid < 0) return finding;
  const bool own = can_record(machine);
  finding.health = own ? Health::limited : Health::no;
  if (!own && *settings.paranoid < 3) {
    finding.meaning = "it allows own programs, which something else forbids: see the next line";
    return finding;
  }
  if (own && *settings.paranoid >= 3) finding.fact += ", which this kernel treats as 2";
  finding.meaning = own ? left_to_user(machine) : "users may not record anything";
  finding.remedy = "sudo sysctl kernel.perf_event_paranoid=-1, or run as root";
  return finding;
}

// Whether an event opens, with the reason of the kernel's refusal.
Finding trial(std::string_view subject, const EventRequest& event, const CounterPlace& place, std::string_view works,
              const Machine& machine) {
  Finding finding{.subject = subject, .fact = std::string(works)};
  if (const int error = machine.open(event.attr, place); error != 0) {
    finding.health = Health::no;
    finding.fact = why_not_opened(event, place, error, machine.settings);
  }
  return finding;
}

// Also a command has its rings on each CPU: places_of().
Finding own_programs(const Machine& machine) {
  if (machine.cpus == 0)
    return {.subject = "own programs",
            .health = Health::no,
            .fact = "which CPUs are online is not known without /sys and /proc",
            .meaning = "nothing can be recorded; recordings of others can be read",
            .remedy = "mount /proc"};
  Finding finding =
      trial("own programs", clock_event(machine, false), this_thread, "programs of this user can be recorded", machine);
  if (finding.health == Health::no) finding.meaning = "nothing can be recorded; recordings of others can be read";
  return finding;
}

Finding kernel_code(const Machine& machine) {
  Finding finding = trial("kernel code", clock_event(machine, true), this_thread,
                          "samples contain what the kernel does for a program", machine);
  if (finding.health == Health::no) finding.meaning = "stacks end at the system call: record takes events with :u";
  return finding;
}

Finding all_cpus(const Machine& machine) {
  Finding finding =
      trial("all CPUs", clock_event(machine, true), first_cpu, "record -a and top see all processes", machine);
  if (finding.health == Health::no) finding.meaning = "no record -a and no top: record a command, or -p PID";
  return finding;
}

// perf_mmap(): kernel.perf_event_mlock_kb for each CPU, and beyond that RLIMIT_MEMLOCK.
Finding ring_memory(const Machine& machine) {
  constexpr std::uint64_t usual_kb = 516;  // 512 KiB and the page of control
  Finding finding{.subject = "ring memory"};
  const SystemSettings& settings = machine.settings;
  rlimit locked{};
  const bool known = getrlimit(RLIMIT_MEMLOCK, &locked) == 0;
  const std::uint64_t extra_kb = known && locked.rlim_cur != RLIM_INFINITY ? locked.rlim_cur >> 10 : 0;
  const std::string limit = !known || locked.rlim_cur == RLIM_INFINITY ? "any" : fmt::format("{} KiB", extra_kb);
  finding.fact = fmt::format("kernel.perf_event_mlock_kb is {}, and ulimit -l allows {} more",
                             settings.mlock_kb ? fmt::format("{}", *settings.mlock_kb) : "not readable", limit);
  if (!settings.mlock_kb) return not_known(std::move(finding));
  const bool unlimited = settings.may_observe || (known && locked.rlim_cur == RLIM_INFINITY);
  if (unlimited || *settings.mlock_kb >= usual_kb) return finding;
  finding.health = Health::limited;
  finding.meaning = "rings are smaller, so that busy programs lose samples: use a lower frequency (-F)";
  finding.remedy = fmt::format("sudo sysctl kernel.perf_event_mlock_kb={}", usual_kb);
  return finding;
}

Finding open_files(const Machine& machine) {
  constexpr unsigned events = 4;  // of a preset; a descriptor for each on every CPU
  const std::uint64_t wanted = std::uint64_t{machine.cpus} * events + 64;
  const SystemSettings& settings = machine.settings;
  Finding finding{.subject = "open files"};
  finding.fact = fmt::format("{} for each process (at most {})", settings.open_files, settings.most_open_files);
  if (machine.cpus == 0) return not_known(std::move(finding));
  finding.fact += fmt::format("; {} CPUs with {} events need about {}", machine.cpus, events, wanted);
  if (settings.most_open_files >= wanted) return finding;  // record raises the limit itself
  finding.health = Health::limited;
  finding.meaning = "record -a with several events fails";
  finding.remedy = fmt::format("as root: ulimit -n {}", wanted);
  return finding;
}

// kernel.perf_cpu_time_max_percent, at which 0 and 100 switch the lowering off.
std::string lowering(const KernelRoots& roots) {
  const auto share = number_of(roots.proc + "/sys/kernel/perf_cpu_time_max_percent");
  if (!share) return "";
  if (*share == 0 || *share == 100) return ", which the kernel does not lower";
  return fmt::format(", lowered if samples take more than {} % of a CPU", *share);
}

// perf_sample_event_took() lowers the rate where interrupts take longer than kernel.perf_cpu_time_max_percent.
Finding sample_rate(const Machine& machine) {
  constexpr std::uint64_t usual = 4000;  // of record, as of perf
  Finding finding{.subject = "sample rate"};
  if (!machine.settings.max_sample_rate) {
    finding.fact = "kernel.perf_event_max_sample_rate cannot be read";
    return not_known(std::move(finding));
  }
  finding.fact = fmt::format("at most {} samples a second (kernel.perf_event_max_sample_rate){}",
                             *machine.settings.max_sample_rate, lowering(machine.roots));
  if (*machine.settings.max_sample_rate >= usual) return finding;
  finding.health = Health::limited;
  finding.meaning =
      fmt::format("the usual frequency of {} is refused: the kernel has lowered the limit, or a user", usual);
  finding.remedy = "sudo sysctl kernel.perf_event_max_sample_rate=100000";
  return finding;
}

Finding stack_depth(const Machine& machine) {
  constexpr std::uint64_t usual = 127;
  Finding finding{.subject = "stack depth"};
  const auto depth = machine.settings.max_stack;
  finding.fact = depth ? fmt::format("callchains have at most {} frames (kernel.perf_event_max_stack)", *depth)
                       : "kernel.perf_event_max_stack cannot be read";
  if (!depth) return not_known(std::move(finding));
  if (*depth >= usual) return finding;
  finding.health = Health::limited;
  finding.meaning = "deep stacks are cut";
  finding.remedy = fmt::format("sudo sysctl kernel.perf_event_max_stack={}", usual);
  return finding;
}

// All bits that later kernels added and that record asks for.
reader::EventAttr newest_attr() {
  reader::EventAttr attr;
  attr.type = reader::event_type::software;
  attr.config = reader::software_event::dummy;
  attr.read_format = reader::read_format::lost;
  attr.sample_type = reader::sample_bit::cgroup | reader::sample_bit::code_page_size |
                     reader::sample_bit::data_page_size | reader::sample_bit::weight_struct;
  for (const unsigned bit : {flag::mmap2, flag::context_switch, flag::namespaces, flag::ksymbol, flag::bpf_event,
                             flag::cgroup, flag::build_id})
    attr.set(bit);
  return attr;
}

// Also without /proc.
std::string release_of(const SystemSettings& settings) {
  utsname name{};
  return settings.release.empty() && uname(&name) == 0 ? name.release : settings.release;
}

Finding kernel_version(const Machine& machine) {
  Finding finding{.subject = "kernel"};
  const std::string release = release_of(machine.settings);
  reader::EventAttr attr = newest_attr();
  const std::vector<std::string> unknown = leave_out_unknown_bits(attr);
  finding.fact = fmt::format("Linux {} knows all parts of events that record asks for", release);
  if (unknown.empty()) return finding;
  finding.health = Health::limited;
  finding.fact = fmt::format("Linux {} does not know {}", release, fmt::join(unknown, ", "));
  finding.meaning = "record leaves them out, and says so with each recording";
  return finding;
}

std::string kind_of_machine(const Machine& machine) {
  if (machine.settings.in_virtual_machine) return "a virtual machine";
  const bool known = read_text(machine.roots.proc + "/cpuinfo").has_value();
  return known ? "no sign of a virtual machine" : "not known whether a virtual machine";
}

Finding surroundings(const Machine& machine) {
  const SystemSettings& settings = machine.settings;
  Finding finding{.subject = "surroundings"};
  finding.fact = kind_of_machine(machine) + (settings.in_container ? ", in a container" : ", no sign of a container");
  if (!settings.has_seccomp) return finding;
  finding.fact += ", with a filter of system calls (seccomp)";
  if (can_record(machine)) return finding;
  finding.health = Health::no;
  finding.meaning = "the filter, as that of Docker, probably forbids perf_event_open";
  finding.remedy = "start the container with --cap-add PERFMON, or --security-opt seccomp=PROFILE that allows it";
  return finding;
}

}  // namespace

Machine Machine::running(const KernelRoots& roots) {
  return {.roots = roots,
          .settings = SystemSettings::read(roots.proc, roots.sysfs),
          .sources = {.sysfs = roots.sysfs, .tracefs = {}},
          .open = try_to_open,
          .cpus = known_online_cpus({}).size()};
}

bool can_record(const Machine& machine) { return machine.open(clock_event(machine, false).attr, this_thread) == 0; }

Findings recording_findings(const Machine& machine) {
  Findings all = {rights(machine), own_programs(machine), kernel_code(machine), all_cpus(machine)};
  for (const Findings& more : {hardware_findings(machine), tracepoint_findings(machine)})
    all.insert(all.end(), more.begin(), more.end());
  for (const auto& look : {ring_memory, open_files, sample_rate, stack_depth, kernel_version, surroundings})
    all.push_back(look(machine));
  return all;
}

}  // namespace perfsift::record
