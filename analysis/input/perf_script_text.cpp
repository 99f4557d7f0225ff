#include "analysis/input/perf_script_text.h"

#include <utility>

namespace perfsift::analysis {
namespace {

// More than any real recording has. A text crafted to have more only loses the benefit of the cache.
constexpr std::size_t most_known_frames = 1'000'000;

bool is_comment(std::string_view line) { return line == "#" || line.starts_with("# "); }

// perf prints an address at the end of 16 columns, after a tabulator or a space (sample__fprintf_callchain(),
// sample__fprintf_sym()). Other lines may begin with a word of hexadecimal digits, too: "add 1" is a folded stack.
bool is_indented_as_frame(std::string_view line) {
  if (line.starts_with('\t')) return true;
  const std::size_t start = skip(line, 0, is_space);
  return start != 0 && skip(line, start, is_hex) > 16;
}

}  // namespace

PerfScriptText::PerfScriptText(Visitor visitor) : visitor_(std::move(visitor)) {}

// The most likely meaning of a line wins: first a certain meaning, then a part of the current sample, then a header
// that is recognized only by a weak shape.
void PerfScriptText::line(std::string_view line) {
  ++stats_.lines;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) {
    end_sample();
    after_empty_line_ = true;
    return;
  }
  if (is_comment(line)) return void(++stats_.comments);

  const bool indented = is_space(line[0]);
  if (line[0] == '\t' || (indented && known_frames_.contains(line))) {
    if (add_frame(line)) return;
  } else if (start_sample(line, Accept::only_certain) || add_frame(line)) {
    return;
  }
  if (indented && add_source_line(line)) return;
  const bool in_certain_sample = in_sample_ && (header_.certain || !frames_.empty());
  const bool is_stray_frame = is_indented_as_frame(line) && parse_script_frame(line);
  if (in_certain_sample || is_stray_frame || !start_sample(line, Accept::any)) {
    not_understood(stats_.lines, line);
    after_empty_line_ = false;
  }
}

void PerfScriptText::finish() { end_sample(); }

bool PerfScriptText::start_sample(std::string_view line, Accept accept) {
  candidate_.assign(line.begin(), line.end());
  auto header = parse_script_header({candidate_.data(), candidate_.size()});
  if (!header || (!header->certain && accept == Accept::only_certain)) return false;
  end_sample();
  after_empty_line_ = false;
  if (header->record) return ++stats_.records, true;
  in_sample_ = true;
  header_ = *header;
  header_text_.swap(candidate_);  // the views stay valid
  header_line_ = stats_.lines;
  if (header_.frame) frames_.push_back(*header_.frame);
  return true;
}

bool PerfScriptText::add_frame(std::string_view line) {
  if (!in_sample_ && !after_empty_line_) return false;
  const bool in_certain_sample = in_sample_ && header_.certain;
  if (!in_certain_sample && !is_indented_as_frame(line)) return false;
  auto known = known_frames_.find(line);
  if (known == known_frames_.end()) {
    known = known_frames_.try_emplace(std::string(line)).first;
    const auto frame = parse_script_frame(known->first);
    if (!frame) return known_frames_.erase(known), false;
    known->second = *frame;
  }
  if (!std::exchange(in_sample_, true)) header_ = {};
  // perf prints a callchain or one frame, never both: the apparent frame in the header was text.
  if (!std::exchange(has_callchain_, true) && header_.frame) {
    frames_.clear();
    header_.frame.reset();
    header_.trace = header_.after_event;
  }
  if (!header_.certain && !after_empty_line_) uncertain_headers_are_samples_ = true;
  frames_.push_back(known->second);
  return true;
}

// " file.c:12" under a frame. For an inlined call perf writes "(inlined)" here, not after the symbol.
bool PerfScriptText::add_source_line(std::string_view line) {
  if (trimmed(line).empty()) return true;  // no source line known
  if (!in_sample_ || frames_.empty() || !line.starts_with("  ") || is_space(line[2]) || line.starts_with("  0x"))
    return false;
  std::string_view text = *source_lines_.emplace(line).first;
  ScriptFrame& frame = frames_.back();
  if (constexpr std::string_view mark = " (inlined)"; text.ends_with(mark)) {
    frame.inlined = true;
    text.remove_suffix(mark.size());
  }
  frame.source_line = trimmed(text);
  return true;
}

void PerfScriptText::end_sample() {
  if (!std::exchange(in_sample_, false)) return;
  if (header_.certain || !frames_.empty() || uncertain_headers_are_samples_) {
    ++stats_.samples;
    visitor_({header_, frames_});
  } else {
    not_understood(header_line_, {header_text_.data(), header_text_.size()});
  }
  frames_.clear();
  has_callchain_ = false;
  if (known_frames_.size() > most_known_frames) known_frames_.clear();
  if (source_lines_.size() > most_known_frames) source_lines_.clear();
}

void PerfScriptText::not_understood(std::uint64_t number, std::string_view text) {
  if (++stats_.not_understood == 1) stats_.first_not_understood = {number, std::string(text)};
}

}  // namespace perfsift::analysis
