#include "store/access_rows.h"

#include "analysis/memory/data_source_text.h"
#include "store/engine/row_binary.h"

namespace perfsift::store {

using analysis::Key;

void write_accesses(const analysis::SummedAccesses& accesses, std::string_view service, std::uint64_t load,
                    StackRows& stacks, RecordingRows& to) {
  RowWriter row(to.accesses);
  StackPlaces places(accesses.stacks, stacks);
  const auto text = [&](analysis::FrameId id) { return accesses.frames->text(id); };
  for (const auto& [key, amount] : accesses.sums) {
    const DataSource source(key.source);
    const std::string_view cgroup = text(key.cgroup);
    row.text(service);
    row.text(text(key.event));
    row.u32(key.time);
    row.id(stacks.id(places.of(key.stack)));
    row.text(text(key.comm));
    row.text(cgroup == unknown_cgroup ? std::string_view() : cgroup);
    row.text(analysis::part_text(Key::operation, source));
    row.text(analysis::part_text(Key::level, source));
    row.text(analysis::part_text(Key::snoop, source));
    row.u64(key.source);
    row.text(text(key.symbol));
    row.text(text(key.dso));
    row.text(text(key.variable));
    row.text(text(key.dso_daddr));
    row.text(text(key.kind));
    row.text(words_of_nodes[static_cast<std::size_t>(key.node)]);
    row.boolean(key.has_address);
    row.boolean(key.mapped);
    row.u32(key.latency_bucket);
    row.u64(load);
    row.u64(amount.samples);
    row.u64(amount.value);
  }
}

}  // namespace perfsift::store
