// A performance monitoring unit as sysfs describes it: /sys/bus/event_source/devices/PMU
// (Documentation/ABI/testing/sysfs-bus-event_source-devices-format and -events).
//
//   type           the number for perf_event_attr.type
//   format/NAME    the bits of a term: "config:0-7,32-35"; the lowest bits of a value come first
//   events/NAME    an alias: "event=0xcd,umask=0x1,ldlat=3"; NAME.unit and NAME.scale say what a count means
//   cpus           the CPUs of one kind of core, where a machine has several, and on Arm
//   cpumask        one CPU of each unit that several CPUs share; all CPUs that arm_spe serves
//   caps/NAME      what the hardware is capable of
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reader/format/event.h"
#include "record/machine/number_text.h"

namespace perfsift::record {

struct PmuFormat {
  std::size_t word = 0;           // 0: config, 1: config1, … 4: config4
  std::vector<NumberRange> bits;  // of the word, in the order of the value's bits

  unsigned width() const;
  std::uint64_t most() const;  // the largest value that fits
  // Replaces the bits in the attr by the value, which must fit.
  void put(std::uint64_t value, reader::EventAttr& attr) const;
};

struct PmuAlias {
  std::string terms;  // "event=0xcd,umask=0x1,ldlat=3"
  std::string unit;
  double scale = 1.0;
};

// Reads files when it is asked. Thread-safe, as long as the folder does not change.
class Pmu {
 public:
  // Nothing if the folder has no type.
  static std::optional<Pmu> open(const std::string& sysfs, const std::string& name);

  const std::string& name() const { return name_; }
  std::uint32_t type() const { return type_; }
  const std::vector<unsigned>& cpus() const { return cpus_; }
  // Counts events of a CPU core: "cpu", or a folder with `cpus`. is_pmu_core() in tools/perf/util/pmu.c.
  bool is_core() const { return is_core_; }
  std::optional<PmuFormat> format(std::string_view name) const;
  std::optional<PmuAlias> alias(std::string_view name) const;
  std::optional<std::uint64_t> capability(std::string_view name) const;
  std::vector<std::string> format_names() const;
  std::vector<std::string> alias_names() const;
  // Whether a user means this PMU: its name; a glob; its name without "uncore_" or "cpu_" in front, or without
  // "_NUMBER" behind. perf_pmu__match() in tools/perf/util/pmu.c, which does not leave out "cpu_".
  bool answers_to(const std::string& name) const;

 private:
  std::optional<std::string> file(std::string_view path) const;

  std::string folder_, name_;
  std::uint32_t type_ = 0;
  std::vector<unsigned> cpus_;
  bool is_core_ = false;
};

// All PMUs: those of cores first, each kind by name.
std::vector<Pmu> all_pmus(const std::string& sysfs);

}  // namespace perfsift::record
