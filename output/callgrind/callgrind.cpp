#include "output/callgrind/callgrind.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/printable_utf8.h"
#include "output/callgrind/call_sums.h"
#include "output/text_writer.h"

namespace perfsift::output {
namespace {

using Amounts = CallSums::Amounts;

// Names of events are single words.
std::string event_word(const std::string& event) {
  std::string word = event == analysis::no_event ? "events" : event;
  std::ranges::replace_if(
      word,
      [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return !(std::isalnum(byte) != 0 && byte < 0x80) && c != '_' && c != '-' && c != '.' && c != '/';
      },
      '_');
  return word;
}

// Names are written once, with a number, and then only their numbers: "(3) name", "(3)".
class NameNumbers {
 public:
  std::string text(std::string_view name) {
    const auto [known, is_new] = numbers_.try_emplace(std::string(name), numbers_.size() + 1);
    const std::string number = "(" + std::to_string(known->second) + ")";
    return is_new ? number + " " + (name.empty() ? "???" : printable_utf8(name)) : number;
  }

 private:
  std::map<std::string, std::size_t, std::less<>> numbers_;
};

class Writer {
 public:
  Writer(const CallSums& sums, TextWriter& text) : sums_(sums), text_(text) {
    for (const auto& [place, amounts] : sums.self()) {
      if (place.line != 0) files_with_lines_.insert(sums.functions()[place.function].file);
    }
  }

  void write_functions() {
    write_root();
    auto self = sums_.self().begin();
    auto call = sums_.calls().begin();
    while (self != sums_.self().end() || call != sums_.calls().end()) {
      const CallSums::Place place = next_function(self, call);
      const auto is_there = [&](const CallSums::Place& other) {
        return other.function == place.function && other.recursion == place.recursion;
      };
      write_position("", place);
      write_any_line(sums_.functions()[place.function].file, place.line);
      for (; self != sums_.self().end() && is_there(self->first); ++self) write_costs(self->first.line, self->second);
      for (; call != sums_.calls().end() && is_there(call->first.caller); ++call)
        write_call(call->first.callee, call->first.caller.line, call->second);
    }
  }

  void write_amounts(const Amounts& amounts) {
    for (const analysis::Amount& amount : amounts) {
      text_.character(' ');
      text_.decimal(amount.value);
      text_.character(' ');
      text_.decimal(amount.samples);
    }
    text_.character('\n');
  }

 private:
  using Self = std::map<CallSums::Place, Amounts>::const_iterator;
  using Calls = std::map<CallSums::Call, Amounts>::const_iterator;

  CallSums::Place next_function(Self self, Calls call) const {
    if (self == sums_.self().end()) return call->first.caller;
    if (call == sums_.calls().end()) return self->first;
    return std::min(self->first, call->first.caller);
  }

  // Programs take the calls of a function for its cost, so that the outermost functions need a caller, too. Stacks
  // without frames cost the root itself.
  void write_root() {
    // callgrind_annotate takes the file of the function before, which the first one has only if it is written.
    text_.format("\nob={}\nfl={}\nfn={}\n", binaries_.text(""), files_.text(""), functions_.text("[all]"));
    const auto any = [](const analysis::Amount& amount) { return amount != analysis::Amount(); };
    if (std::ranges::any_of(sums_.frameless(), any)) write_costs(0, sums_.frameless());
    for (const auto& [place, amounts] : sums_.outermost()) write_call(place, 0, amounts);
  }

  // `prefix`: "c" for the function that is called.
  void write_position(std::string_view prefix, const CallSums::Place& place) {
    const CallSums::Function& function = sums_.functions()[place.function];
    const std::string name = std::string(function.name) + (place.recursion ? "'2" : "");
    if (prefix.empty()) text_.character('\n');
    text_.format("{}ob={}\n", prefix, binaries_.text(function.binary));
    text_.format("{}={}\n", prefix.empty() ? "fl" : "cfi", files_.text(function.file));
    text_.format("{}fn={}\n", prefix, functions_.text(name));
  }

  // callgrind_annotate looks for the first line with a cost in each file that it can open, and does not expect that
  // there is none (annotate_ann_files()): a file has none if its functions only call others, or if lines are not known.
  void write_any_line(std::string_view file, std::uint32_t line) {
    if (file.empty() || !files_with_lines_.insert(file).second) return;
    write_costs(std::max(line, 1u), Amounts(sums_.total().size()));
  }

  void write_costs(std::uint32_t line, const Amounts& amounts) {
    text_.decimal(line);
    write_amounts(amounts);
  }

  // The cost of a call includes all that was called from there. How often it was made is not known: each sample
  // counts once.
  void write_call(const CallSums::Place& callee, std::uint32_t line, const Amounts& amounts) {
    write_position("c", callee);
    std::uint64_t samples = 0;
    for (const analysis::Amount& amount : amounts) samples += amount.samples;
    text_.format("calls={} {}\n", samples, callee.line);
    write_costs(line, amounts);
  }

  const CallSums& sums_;
  TextWriter& text_;
  NameNumbers binaries_, files_, functions_;
  std::set<std::string_view> files_with_lines_;  // with a cost
};

void write_header(const ExportSource& source, TextWriter& text) {
  text.text("# callgrind format\nversion: 1\ncreator: perfsift\n");
  text.text("cmd: " + printable_utf8(source.title) + "\n");
  for (const std::string& comment : source.comments) text.text("desc: " + printable_utf8(comment) + "\n");
  text.text("positions: line\nevents:");
  for (const analysis::EventId event : source.events) {
    const std::string word = event_word(source.profile.events()[event]);
    text.text(fmt::format(" {0} {0}_samples", word));
  }
  text.character('\n');
}

}  // namespace

void write_callgrind(const ExportSource& source, OutputFile& out) {
  const analysis::CallTree tree(source.profile, {.event_frames = false}, source.threads);
  const analysis::SampleGroups groups(tree, source.table, {.context = false, .cpu = false, .mode = false},
                                      source.threads);
  const CallSums sums(tree, groups, source.events);
  TextWriter text([&](std::string_view piece) { out.write(piece); });
  write_header(source, text);
  Writer writer(sums, text);
  text.text("summary:");
  writer.write_amounts(sums.total());
  writer.write_functions();
  text.text("\ntotals:");
  writer.write_amounts(sums.total());
  text.flush();
}

}  // namespace perfsift::output
