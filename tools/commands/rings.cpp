// perfsift rings: the payloads that other people's BPF programs send, with the fields of their types.

#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/printable.h"
#include "base/size_text.h"
#include "output/files/run_files.h"
#include "record/bpf/map_users.h"
#include "record/bpf/type_choice.h"
#include "tools/command.h"
#include "tools/record/record_signals.h"
#include "tools/rings/payload_path.h"
#include "tools/rings/ring_filter.h"
#include "tools/rings/ring_list.h"
#include "tools/rings/ring_options.h"

namespace perfsift::tools {
namespace {

using record::PayloadCounts;
using record::RingMapInfo;
using record::RingMapKind;

struct RingsCommand : CommandRun {
  RingOptions wanted;

  void add_to(options::po::options_description& description) override { wanted.add_to(description); }
  int run(const options::Arguments& words) override;

 private:
  void say(const std::string& sentence) const;
  void refuse_other_readers(const RingMapInfo& map) const;
  void read(record::PayloadSource& source, PayloadPath& path) const;
  void conclude(const record::PayloadSource& source, const PayloadPath& path) const;
};

void RingsCommand::say(const std::string& sentence) const {
  if (!wanted.quiet) std::cerr << "perfsift: " << printable(sentence) << '\n';
}

// An element of a perf event array has one event: an event that is put there takes the place of the older one. Readers
// of a ring buffer move one position.
void RingsCommand::refuse_other_readers(const RingMapInfo& map) const {
  if (wanted.take || wanted.source.peek) return;
  const std::vector<std::string> readers = record::readers_of_map(map, wanted.source.roots.proc);
  if (readers.empty()) return;
  const bool can_peek = map.kind == RingMapKind::ring_buffer;
  throw UsageError(
      fmt::format("{} is read by {}, which would get no payloads any more: stop it, or take them by --take{}",
                  wanted.maps.front(), fmt::join(readers, ", "), can_peek ? ", or read beside it by --peek" : ""));
}

void RingsCommand::read(record::PayloadSource& source, PayloadPath& path) const {
  constexpr std::chrono::milliseconds longest_wait{100};
  using Clock = std::chrono::steady_clock;
  RecordSignals signals;
  source.watch(signals.fd());
  const Clock::time_point begin = Clock::now();
  bool is_asked_to_end = false;
  while (!is_asked_to_end && !path.ended() && !(wanted.longest && Clock::now() - begin >= *wanted.longest)) {
    source.wait(longest_wait);
    source.drain(path);
    while (const auto signal = signals.next()) is_asked_to_end |= signal->number != SIGUSR2;
  }
  if (!path.ended()) source.drain(path);
}

std::string counts_text(const PayloadCounts& counts) {
  std::string text = counts.cpu ? fmt::format("CPU {}: ", *counts.cpu) : std::string();
  text += fmt::format("{} received", counts.received);
  if (counts.lost) text += fmt::format(", {} lost", *counts.lost);
  if (!counts.lost) text += "; the kernel does not count what a ring buffer loses: only its program knows";
  if (counts.overtaken_bytes != 0)
    text += fmt::format(", {}B were overwritten before they were read", size_text(counts.overtaken_bytes));
  if (counts.cut != 0) text += fmt::format(", {} are cut: a record holds 64 KiB", counts.cut);
  if (counts.damaged != 0) text += fmt::format(", {}B are damaged", size_text(counts.damaged));
  return text;
}

void RingsCommand::conclude(const record::PayloadSource& source, const PayloadPath& path) const {
  std::uint64_t received = 0, lost = 0;
  bool knows_lost = false;
  for (const PayloadCounts& counts : source.counts()) {
    say(counts_text(counts));
    received += counts.received;
    lost += counts.lost.value_or(0);
    knows_lost |= counts.lost.has_value();
  }
  for (const std::string& warning : path.warnings()) say(fmt::format("warning: {}", warning));
  const std::string filtered = path.dropped() != 0 ? fmt::format(", {} dropped by --filter", path.dropped()) : "";
  const std::string recorded =
      path.recorded_bytes() != 0 ? fmt::format(", {}B in {}", size_text(path.recorded_bytes()), wanted.output) : "";
  const std::string lost_text = knows_lost ? fmt::format(", {} lost", lost) : "";
  const char* const advice = lost != 0 ? " (larger rings by -m lose fewer)" : "";
  say(fmt::format("{} payloads of {} received{}{}{}{}", path.shown(), received, filtered, recorded, lost_text, advice));
}

int RingsCommand::run(const options::Arguments& words) {
  wanted.complete();
  if (wanted.list) return print_rings(wanted.json, std::cout), done;
  if (!wanted.output.empty()) output::RunFiles().writes(wanted.output);
  record::RingMap map = record::open_ring_map(wanted.maps.front());
  const RingMapInfo info = map.info;
  if (wanted.source.peek && info.kind != RingMapKind::ring_buffer)
    throw UsageError(fmt::format("--peek: {} is a perf event array, which has one reader", wanted.maps.front()));
  refuse_other_readers(info);
  const record::TypeChoice types(wanted.maps.front(), record::programs_of_map(info.id), wanted.type);
  const auto source = record::open_payload_source(std::move(map), wanted.source);
  if (!wanted.filter.empty()) check_ring_filter(wanted.filter, source->attr());
  for (const std::string& sentence : source->left_out()) say(sentence);

  PayloadPathPlan plan{.map_name = info.name,
                       .filter = wanted.filter,
                       .most = wanted.most,
                       .json = wanted.json,
                       .recording = wanted.output,
                       .command_line = {"perfsift", "rings"}};
  plan.command_line.insert(plan.command_line.end(), words.begin(), words.end());
  const auto read_all = [&](output::TextWriter& out) {
    PayloadPath path(plan, *source, types, out, [this](const std::string& sentence) { say(sentence); });
    read(*source, path);
    path.finish();
    out.flush();
    conclude(*source, path);
  };
  output::TextWriter nothing;
  if (!wanted.output.empty()) return read_all(nothing), done;
  tools::write_output(output::OutputFile::standard_output, [&](output::OutputFile& file) {
    output::TextWriter out([&](std::string_view text) { file.write(text); });
    read_all(out);
  });
  return done;
}

}  // namespace

extern const Command rings_command{
    .name = "rings",
    .summary = "show what other BPF programs send to user space",
    .usage =
        "Usage: perfsift rings [OPTIONS] MAP\n"
        "       perfsift rings --list\n\n"
        "Reads the perf event array or ring buffer of a BPF program, and shows the payloads by the types of the "
        "program.\n",
    .positional = "map",
    .start = start<RingsCommand>,
};

}  // namespace perfsift::tools
