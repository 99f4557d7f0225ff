#include "analysis/samples/code_facts.h"

#include <vector>

#include "analysis/samples/stack_options.h"
#include "base/binary.h"

namespace perfsift::analysis {

using filter::Fact;
using filter::if_any;
using filter::Number;

std::optional<Number> RecordedCode::number(Fact fact) const {
  if (fact == Fact::cpumode) return Number::of(static_cast<std::uint64_t>(mode));
  if (fact == Fact::ip) return Number::of(ip);
  return std::nullopt;
}

void CodeFacts::set_thread(const reader::ThreadState& thread, std::uint64_t time) {
  thread_ = &thread;
  names_.set_time(thread, time);
}

std::optional<Number> CodeFacts::number(const RecordedCode& code, Fact fact) {
  if (const auto known = code.number(fact)) return known;
  if (fact == Fact::symoff) {
    const CodeLocation& location = place(code).location;
    if (location.symbol == nullptr) return std::nullopt;
    const std::uint64_t offset = location.offset - location.symbol->start;
    return Number::of(code.return_address ? offset + 1 : offset);
  }
  const Place& found = with_source(code);
  return found.source_line != 0 ? std::optional(Number::of(found.source_line)) : std::nullopt;
}

std::optional<std::string_view> CodeFacts::text(const RecordedCode& code, Fact fact) {
  if (fact == Fact::sym) return if_any(place(code).sym);
  if (fact == Fact::dso) return if_any(place(code).dso);
  return if_any(with_source(code).source_file);
}

std::optional<std::string_view> CodeFacts::data_text(reader::CpuMode mode, std::uint64_t address, Fact fact) {
  const CodeLocation at = names_.locate_in_any_mode(*thread_, mode, address);
  if (!at.mapped()) return std::nullopt;
  if (fact == Fact::addr_dso) return names_.binary_name(at);
  return at.symbol != nullptr ? if_any(names_.readable_name(at)) : std::nullopt;
}

CodeFacts::Place& CodeFacts::place(const RecordedCode& code) {
  const std::uint64_t maps = is_kernel_mode(code.mode) ? thread_->kernel_maps : thread_->maps;
  const PlaceKey key{.ip = code.ip,
                     .context = maps << 32 | std::uint64_t{names_.code_version()} << 4 |
                                static_cast<std::uint64_t>(code.mode) << 1 | (code.return_address ? 1 : 0)};
  if (places_.size() >= most_places) forget_places();
  const auto [place, is_new] = places_.try_emplace(key);
  if (is_new) place = find_place(code);
  return place;
}

void CodeFacts::forget_places() { places_.clear(); }

// A return address is that of the instruction behind the call.
CodeFacts::Place CodeFacts::find_place(const RecordedCode& code) {
  const std::uint64_t address = call_site(code.ip, code.return_address);
  Place place{.location = names_.locate(*thread_, code.mode, address), .sym = {}, .dso = {}};
  if (!place.location.mapped()) return place;
  place.dso = names_.binary_name(place.location);
  if (place.location.symbol != nullptr) place.sym = names_.readable_name(place.location);
  return place;
}

// The innermost call that was inlined there counts: it is the line that was running.
const CodeFacts::Place& CodeFacts::with_source(const RecordedCode& code) {
  Place& found = place(code);
  if (found.knows_source || !found.location.mapped()) return found;
  found.knows_source = true;
  const std::vector<SourceCall> calls = names_.source_calls(found.location, false);
  if (calls.empty()) return found;
  found.source_file = calls.front().place.file;
  found.source_line = calls.front().place.line;
  return found;
}

}  // namespace perfsift::analysis
