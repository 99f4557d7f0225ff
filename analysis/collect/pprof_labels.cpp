#include "analysis/collect/pprof_labels.h"

#include <algorithm>
#include <bitset>
#include <iterator>

#include "analysis/input/pprof_fields.h"

namespace perfsift::analysis {
namespace {

struct Field {
  std::string_view key;
  std::int32_t PprofLabelValues::*number = nullptr;  // one of the two is set
  std::string_view PprofLabelValues::*text = nullptr;
};

constexpr Field fields[] = {
    {.key = pprof::label::pid, .number = &PprofLabelValues::pid},
    {.key = pprof::label::tid, .number = &PprofLabelValues::tid},
    {.key = pprof::label::cpu, .number = &PprofLabelValues::cpu},
    {.key = pprof::label::run, .number = &PprofLabelValues::run},
    {.key = pprof::label::block, .number = &PprofLabelValues::block},
    {.key = pprof::label::thread_comm, .text = &PprofLabelValues::thread_comm},
    {.key = pprof::label::comm, .text = &PprofLabelValues::comm},
    {.key = pprof::label::cgroup, .text = &PprofLabelValues::cgroup},
    {.key = pprof::label::execution_mode, .text = &PprofLabelValues::execution_mode},
};
constexpr std::size_t no_field = std::size(fields);

std::int32_t number_of(const PprofLabel& label) {
  const bool fits = label.text.empty() && label.number >= 0 && label.number <= INT32_MAX;
  return fits ? static_cast<std::int32_t>(label.number) : -1;
}

}  // namespace

// Equal texts of a profile have the same address.
std::size_t PprofLabelReader::field_of(std::size_t place, std::string_view key) {
  if (place == keys_.size()) keys_.push_back({.text = {}, .field = no_field});
  KnownKey& known = keys_[place];
  if (known.text.data() == key.data() && known.text.size() == key.size()) return known.field;
  const auto* const field = std::ranges::find(fields, key, &Field::key);
  known = {.text = key, .field = static_cast<std::size_t>(field - std::begin(fields))};
  return known.field;
}

PprofLabelValues PprofLabelReader::read(const PprofSample& sample) {
  PprofLabelValues values;
  std::bitset<no_field> seen;
  others_.clear();
  for (std::size_t place = 0; place < sample.labels.size(); ++place) {
    const PprofLabel& label = sample.labels[place];
    const std::size_t number = field_of(place, label.key);
    if (number == no_field && label.key != pprof::label::timestamp) others_.push_back(label);
    if (number == no_field || seen[number]) continue;
    seen.set(number);
    const Field& field = fields[number];
    if (field.number != nullptr) values.*field.number = number_of(label);
    if (field.text != nullptr) values.*field.text = label.text;
  }
  return values;
}

}  // namespace perfsift::analysis
