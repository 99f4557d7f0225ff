#include "tools/memory/stored_memory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/memory/data_source_text.h"
#include "base/error.h"
#include "base/printable.h"
#include "store/shards.h"
#include "store/stored_accesses.h"
#include "store/url.h"
#include "store/wanted_rows.h"
#include "tools/open_store.h"

namespace perfsift::tools {
namespace {

using analysis::FrameId;
using analysis::Key;
using analysis::SummedAccess;
using analysis::SummedAccesses;

// There are no lines.
constexpr std::uint64_t usual_line_size = 64;

struct StoredKey {
  Key key;
  FrameId SummedAccess::*text;
};
// The keys whose texts a store has. Those of the data source are there, too.
constexpr std::array stored_keys = {
    StoredKey{Key::symbol, &SummedAccess::symbol},       StoredKey{Key::dso, &SummedAccess::dso},
    StoredKey{Key::variable, &SummedAccess::variable},   StoredKey{Key::kind, &SummedAccess::kind},
    StoredKey{Key::dso_daddr, &SummedAccess::dso_daddr}, StoredKey{Key::comm, &SummedAccess::comm},
    StoredKey{Key::cgroup, &SummedAccess::cgroup},       StoredKey{Key::event, &SummedAccess::event}};

const StoredKey* find_stored(Key key) {
  const auto* const found = std::ranges::find(stored_keys, key, &StoredKey::key);
  return found != stored_keys.end() ? found : nullptr;
}

// What MemoryCells is for the samples of a recording.
class StoredCells {
 public:
  void set(const SummedAccess& access) { access_ = &access; }
  bool mapped() const { return access_->mapped; }
  FrameId cell(Key key) const { return access_->*find_stored(key)->text; }

 private:
  const SummedAccess* access_ = nullptr;
};

// Only whether the address and the latency are known.
analysis::MemoryAccess access_of(const SummedAccess& key) {
  return {.event = key.event,
          .source_bits = key.source,
          .address = key.has_address ? std::uint64_t{1} : 0,
          .latency = key.latency_bucket};
}

void add_stacks(const SummedAccesses& accesses, const analysis::MemoryOptions& options, analysis::Profile& profile) {
  analysis::FrameTable& frames = profile.frames();
  analysis::StackList& list = profile.new_list();
  for (const auto& [key, amount] : accesses.sums) {
    std::vector<FrameId> stack = {frames.intern(analysis::foldable(frames.text(key.comm)))};
    const auto& functions = accesses.stacks[key.stack];
    stack.insert(stack.end(), functions.begin(), functions.end());
    const std::string level = analysis::part_text(Key::level, DataSource(key.source));
    stack.push_back(frames.intern(analysis::foldable("[" + level + "]")));
    const std::uint64_t value = options.stack_weight == analysis::Weight::samples ? amount.samples : amount.value;
    list.add(profile.event(frames.text(key.event)), stack, {.samples = amount.samples, .value = value});
  }
}

}  // namespace

StoredMemory::StoredMemory(const std::string& url, const filter::Filter& filter) : url_(url) {
  (void)store::parse_store_url(url);
  if (!filter.keeps_all())
    refuse("whose accesses are chosen by labels, event, thread, cgroup, from and to in its address");
}

void StoredMemory::refuse(std::string_view why) const {
  throw UsageError(fmt::format("{}: is a store, {}", printable(url_), why));
}

void StoredMemory::refuse_single_accesses() const { refuse("which has no single accesses: --raw needs a recording"); }

analysis::MemoryTotals StoredMemory::collect(analysis::Profile& profile, const analysis::MemoryOptions& options,
                                             Progress& progress) {
  if (options.cache_lines) refuse("which has no addresses of data: c2c needs a recording");
  for (const analysis::Keys& table : options.tables) {
    for (const Key key : table) {
      if (!analysis::is_of_source(key) && find_stored(key) == nullptr)
        refuse(fmt::format("which has no addresses and thread ids: --sort {} needs a recording", name_of(key)));
    }
  }
  const store::StoreUrl url = store::parse_store_url(url_);
  progress.show([&] { return "reading " + url_; });
  SummedAccesses accesses;
  use_store(url, [&](store::Engine& engine) {
    store::read_unchanged(engine, url.selection, [&](const store::Selection& selection) {
      const std::string state = store::state_of(engine, selection);
      (void)store::recordings_in(state);
      accesses = store::read_accesses(engine, selection, profile.frames(), options.shape.frames, options.stacks);
      store::check_unchanged(engine, selection, state);
    });
  });
  analysis::MemorySums sums(options.tables, profile.frames());
  StoredCells cells;
  for (const auto& [key, amount] : accesses.sums) {
    cells.set(key);
    sums.add(access_of(key), cells, amount);
    sums.add_nodes(key.node, amount.samples);
    knows_nodes_ = knows_nodes_ || key.node != analysis::NodeMatch::unknown;
  }
  if (options.stacks) add_stacks(accesses, options, profile);
  return {.sums = std::move(sums), .lines = analysis::CacheLines(usual_line_size), .accesses = {}};
}

output::NotedRecording StoredMemory::noted() const {
  return {
      .left_out = {}, .arch = {}, .cpu_id = {}, .has_physical_addresses = knows_nodes_, .knows_nodes = knows_nodes_};
}

}  // namespace perfsift::tools
