#include "output/memory/raw_accesses.h"

#include <array>

#include "analysis/memory/data_source_text.h"
#include "base/printable.h"
#include "output/csv.h"
#include "output/json.h"

namespace perfsift::output {
namespace {

using analysis::Key;
using analysis::MemoryAccess;
using reader::Sample;

// Columns behind the numbers. The data source contains blanks, so it is last.
constexpr std::array text_keys = {Key::comm, Key::symbol, Key::dso, Key::variable, Key::symbol_daddr, Key::dso_daddr};
constexpr std::array source_keys = {Key::operation, Key::level,   Key::snoop, Key::tlb,
                                    Key::locked,    Key::blocked, Key::kind,  Key::node};

constexpr std::uint64_t nanoseconds_per_second = 1'000'000'000;

}  // namespace

RawAccesses::RawAccesses(const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                         analysis::Profile& texts, RawForm form, TextWriter& out)
    : nodes_(recording.features()),
      cells_(recording, symbolizer, nodes_, texts.frames()),
      threads_(recording),
      form_(form),
      out_(out) {}

void RawAccesses::write_header() {
  if (form_ != RawForm::csv) return;
  out_.text("time,cpu,pid,tid,ip,addr,phys_addr,weight,ins_lat,p_stage_cyc,data_src");
  for (const Key key : text_keys) out_.format(",{}", analysis::name_of(key));
  for (const Key key : source_keys) out_.format(",{}", analysis::name_of(key));
  out_.text("\r\n");
}

void RawAccesses::sample(const Sample& sample) {
  if (!events_.contains(*sample.event)) return;
  const MemoryAccess access = MemoryAccess::of(sample);
  if (!access.is_access()) return;
  cells_.set(sample, threads_.find(sample.pid, sample.tid, sample.moment), access);
  ++printed_;
  switch (form_) {
    case RawForm::text:
      return text(sample, access);
    case RawForm::json_lines:
      return json(sample, access);
    case RawForm::csv:
      return csv(sample, access);
  }
}

void RawAccesses::text(const Sample& sample, const MemoryAccess& access) {
  if (sample.time != reader::no_time) {
    out_.format("{}.{:09} ", sample.time / nanoseconds_per_second, sample.time % nanoseconds_per_second);
  }
  if (sample.cpu >= 0) out_.format("[{:03}] ", sample.cpu);
  out_.format("{}/{} {} ip {:x} {} ({}) addr {:x} {} ({}) weight {} {}\n", sample.pid, sample.tid,
              printable(cell(Key::comm)), sample.ip, printable(cell(Key::symbol)), printable(cell(Key::dso)),
              access.address, printable(cell(Key::symbol_daddr)), printable(cell(Key::dso_daddr)), access.latency,
              analysis::data_source_text(sample.knows(reader::sample_bit::data_src) ? sample.data_src
                                                                                    : analysis::no_data_source));
}

void RawAccesses::csv(const Sample& sample, const MemoryAccess& access) {
  out_.format("{},{},{},{},0x{:x},0x{:x},0x{:x},{},{},{},0x{:x}",
              sample.time == reader::no_time ? std::string() : std::to_string(sample.time), sample.cpu, sample.pid,
              sample.tid, sample.ip, access.address, sample.phys_addr, access.latency, sample.instruction_latency,
              sample.pipeline_stage_cycles, sample.data_src);
  for (const Key key : text_keys) out_.format(",{}", csv_name(printable(cell(key))));
  for (const Key key : source_keys) out_.format(",{}", csv_name(printable(cell(key))));
  out_.text("\r\n");
}

void RawAccesses::json(const Sample& sample, const MemoryAccess& access) {
  Json json = {{"time", sample.time == reader::no_time ? Json(nullptr) : Json(sample.time)},
               {"cpu", sample.cpu},
               {"pid", sample.pid},
               {"tid", sample.tid},
               {"ip", sample.ip},
               {"addr", access.address},
               {"phys_addr", sample.phys_addr},
               {"weight", access.latency},
               {"ins_lat", sample.instruction_latency},
               {"p_stage_cyc", sample.pipeline_stage_cycles},
               {"data_src", sample.data_src}};
  for (const Key key : text_keys) json[std::string(analysis::name_of(key))] = cell(key);
  for (const Key key : source_keys) json[std::string(analysis::name_of(key))] = cell(key);
  out_.text(json.dump(-1, ' ', true, Json::error_handler_t::replace));
  out_.character('\n');
}

}  // namespace perfsift::output
