// The address of a store, rules for labels, and the rows of an engine's answer, each from the same bytes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "analysis/offcpu/summed_waits_feed.h"
#include "base/error.h"
#include "store/catalog.h"
#include "store/collector.h"
#include "store/engine/row_binary.h"
#include "store/hosts.h"
#include "store/label_rules.h"
#include "store/schema.h"
#include "store/stored_accesses.h"
#include "store/stored_waits.h"
#include "store/url.h"
#include "tests/store/fake_engine.h"

using namespace perfsift;
using namespace perfsift::store;

namespace {

// Only digits of numbers, hexadecimal digits, and the marks of arrays reach an engine.
void check_parameters(const Selection& selection) {
  constexpr std::string_view harmless = "0123456789abcdef',[]";
  const Parameters parameters = selection.parameters();
  for (const auto& [name, value] : parameters.all()) {
    if (value.find_first_not_of(harmless) != std::string::npos) __builtin_trap();
  }
}

// All SQL of reading, listing and describing what is selected.
std::vector<std::string> statements_about(const Selection& selection) {
  test::FakeEngine engine;
  constexpr std::size_t row_size = 4 * sizeof(std::uint64_t);
  engine.answers = {{"sum(duration)", std::string(row_size, '\1')}};  // some recordings, without samples
  const StoredRecordings stored = describe(engine, selection);
  describe_hosts(engine, selection);
  list_recordings(engine, selection);
  analysis::Profile profile;
  const analysis::StackOptions options;
  StoreCollector(engine, selection, profile, options).collect(stored, [](std::string_view event) {
    return std::optional<std::string>(event);
  });
  read_waits(engine, selection, profile.frames(), options.frames);
  read_accesses(engine, selection, profile.frames(), options.frames, true);
  return engine.asked;
}

// The same selection with other names, values and times.
Selection with_other_texts(const Selection& selection) {
  Selection other;
  for (const auto& [name, values] : selection.labels)
    other.labels[name == "service" ? name : "name" + std::to_string(other.labels.size())].resize(values.size(),
                                                                                                 "value");
  other.events.resize(selection.events.size(), "event");
  other.threads.resize(selection.threads.size(), "thread");
  other.cgroups.resize(selection.cgroups.size(), "cgroup");
  if (selection.from) other.from = 1;
  if (selection.to) other.to = 2;
  return other;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return result;
}

// What was chosen, as an address again.
std::string address_of(const StoreUrl& url) {
  std::string text = "chdb:" + escaped(url.folder) + "?";
  const auto add = [&](std::string_view name, std::string_view value) {
    text += fmt::format("{}={}&", escaped(name), escaped(value));
  };
  for (const auto& [name, values] : url.selection.labels) {
    for (const std::string& value : values) add(name, value);
  }
  for (const std::string& value : url.selection.events) add("event", value);
  for (const std::string& value : url.selection.threads) add("thread", value);
  for (const std::string& value : url.selection.cgroups) add("cgroup", value);
  if (url.selection.from) add("from", std::to_string(*url.selection.from));
  if (url.selection.to) add("to", std::to_string(*url.selection.to));
  return text;
}

bool are_equal(const Selection& left, const Selection& right) {
  return left.labels == right.labels && left.events == right.events && left.threads == right.threads &&
         left.cgroups == right.cgroups && left.from == right.from && left.to == right.to;
}

// No byte of an address is in SQL: another address of the same form gives the same statements. What was chosen comes
// back as it was, with any bytes.
void fuzz_url(const std::string& text) {
  try {
    const StoreUrl url = parse_store_url(text);
    const bool is_folder = !url.folder.empty();
    if (is_folder != url.servers.empty() || is_folder != url.database.empty()) __builtin_trap();
    if (url.folder.find('\0') != std::string::npos || url.database.find('\0') != std::string::npos) __builtin_trap();
    check_parameters(url.selection);
    if (statements_about(url.selection) != statements_about(with_other_texts(url.selection))) __builtin_trap();
    if (!is_folder) return;
    const StoreUrl again = parse_store_url(address_of(url));
    if (again.folder != url.folder || !are_equal(again.selection, url.selection)) __builtin_trap();
  } catch (const UsageError& error) {
    if (*error.what() == '\0') __builtin_trap();
  }
}

void fuzz_rules(const std::string& text) {
  try {
    const LabelRules rules("fuzz", text);
    const std::string_view groups[] = {text, "/a"};
    const Labels labels = rules.labels_of_path(text);
    for (const auto& [name, value] : labels) {
      if (name.empty() || text.find(value) == std::string::npos) __builtin_trap();
    }
    rules.labels_of_cgroups(groups);
  } catch (const Error& error) {
    if (*error.what() == '\0') __builtin_trap();
  }
}

void fuzz_rows(std::string_view text) {
  try {
    for (RowReader row(text); !row.at_end();) {
      row.u32();
      row.id();
      row.boolean();
      row.text();
      row.skip_elements(sizeof(Hash128));
      for (std::size_t elements = row.elements(); elements != 0; --elements) row.text();
    }
  } catch (const InputError&) {
  }
}

// The parts of waits add up to their sums, whatever a store says of them.
struct WaitTotals : offcpu::SchedulerListener {
  void interval(const offcpu::Interval& interval) override { sums.add(interval); }
  offcpu::IntervalSums sums;
};

void fuzz_waits(const std::string& text) {
  test::FakeEngine engine;
  engine.answers = {{"FROM waits", text}, {"SELECT id, frames FROM stacks", std::string(sizeof(Hash128) + 1, '\0')}};
  analysis::FrameTable frames;
  try {
    const offcpu::SummedWaits waits = read_waits(engine, {}, frames, {});
    WaitTotals totals;
    offcpu::Scheduler scheduler(totals);
    offcpu::StackTable stacks;
    offcpu::NoSymbols no_symbols;
    offcpu::WaitKinds kinds(no_symbols);
    offcpu::feed(waits, 1, scheduler, stacks, kinds, totals);
    offcpu::IntervalSums expected;
    for (const offcpu::SummedWait& wait : waits.sums) {
      if (wait.sums.count != 0) expected.add(wait.sums);
    }
    if (totals.sums.count != expected.count || totals.sums.total() != expected.total()) __builtin_trap();
  } catch (const InputError&) {
  }
  engine.answers = {{"FROM accesses", text}};
  try {
    read_accesses(engine, {}, frames, {}, false);
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  fuzz_url("chdb:" + text);
  fuzz_url("clickhouse://" + text);
  fuzz_rules(text);
  fuzz_rows(text);
  fuzz_waits(text);
  for (const std::string_view statement : statements_of(text)) {
    if (statement.empty() || statement.starts_with("--")) __builtin_trap();
  }
  return 0;
}
