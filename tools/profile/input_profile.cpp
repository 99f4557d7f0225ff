#include "tools/profile/input_profile.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "tools/input/line_splitter.h"
#include "tools/profile/text_collector.h"

namespace perfsift::tools {
namespace {

std::vector<UnnamedFrames> unnamed_frames(const StackCollector& collector, const reader::Timeline& timeline) {
  std::vector<UnnamedFrames> result;
  const auto& frames = collector.counts().unnamed;
  for (std::size_t i = 1; i < frames.size(); ++i) {
    const UnnamedPlace& place = collector.unnamed_places()[i];
    const bool mapped = place.binary != CodeAddress::no_binary;
    if (frames[i] == 0) continue;
    result.push_back(
        {.binary = mapped ? timeline.binaries()[place.binary].path : "", .reason = place.reason, .frames = frames[i]});
  }
  return result;
}

void read_recording(std::unique_ptr<reader::Recording> recording, Profile& profile, symbolize::Symbolizer& symbolizer,
                    const StackOptions& options, const EventSelection& events, unsigned threads, InputReport& report) {
  StackCollector collector(*recording, symbolizer, profile, options,
                           [&](const reader::Event& event) { return events(event.name); });
  collector.collect(threads);
  for (const auto& event : recording->events()) report.events.push_back(event->name);
  report.stats = recording->stats();
  report.counts = collector.counts();
  report.unnamed = unnamed_frames(collector, recording->timeline());
}

void read_script_text(reader::InputFile input, Profile& profile, const StackOptions& options,
                      const EventSelection& events, InputReport& report) {
  std::set<std::string, std::less<>> seen;
  ScriptTextCollector collector(profile, options, [&](std::string_view event) {
    seen.emplace(event);
    return events(event);
  });
  read_lines(std::move(input), [&](std::string_view line) { collector.line(line); });
  collector.finish();
  report.events.assign(seen.begin(), seen.end());
  report.script_text = collector.stats();
}

void read_folded_text(reader::InputFile input, Profile& profile, InputReport& report) {
  FoldedTextCollector collector(profile);
  read_lines(std::move(input), [&](std::string_view line) { collector.line(line); });
  report.folded_text = collector.stats();
}

}  // namespace

InputKind kind_of(reader::InputFile& input) {
  constexpr std::size_t magic_size = 16;  // so that a slow stream is not waited for longer than it takes
  InputKind kind = input_kind(reader::peek(input, magic_size));
  if (kind != InputKind::recording) kind = input_kind(reader::peek(input, input_kind_bytes));
  if (kind == InputKind::unknown || kind == InputKind::compressed) {
    throw InputError(input.path + ": neither a recording of perf record, nor text of perf script, nor folded stacks");
  }
  return kind;
}

void read_lines(reader::InputFile input, const std::function<void(std::string_view line)>& line) {
  LineSplitter lines(line);
  if (input.source == nullptr) {
    const Bytes all = input.mapped.bytes();
    lines.feed({reinterpret_cast<const char*>(all.data()), all.size()});
  } else {
    std::vector<std::byte> buffer(std::size_t{1} << 18);
    while (const std::size_t got = input.source->read(buffer)) {
      lines.feed({reinterpret_cast<const char*>(buffer.data()), got});
    }
  }
  lines.finish();
}

InputReport read_into_profile(const std::string& path, Profile& profile, symbolize::Symbolizer& symbolizer,
                              const StackOptions& options, const EventSelection& events, unsigned threads) {
  InputReport report{.path = path};
  if (std::filesystem::is_directory(path)) {
    read_recording(reader::Recording::open(path), profile, symbolizer, options, events, threads, report);
    return report;
  }
  reader::InputFile input = reader::open_input(path);
  report.kind = kind_of(input);
  switch (report.kind) {
    case InputKind::perf_script_text:
      read_script_text(std::move(input), profile, options, events, report);
      break;
    case InputKind::folded_text:
      read_folded_text(std::move(input), profile, report);
      break;
    default:
      read_recording(reader::Recording::open(std::move(input)), profile, symbolizer, options, events, threads, report);
  }
  return report;
}

}  // namespace perfsift::tools
