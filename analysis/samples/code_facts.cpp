#include "analysis/samples/code_facts.h"

#include <vector>

#include "analysis/samples/stack_options.h"
#include "base/binary.h"
#include "reader/callchain.h"

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
    const CodeLocation& found = location(code).location;
    if (found.symbol == nullptr) return std::nullopt;
    const std::uint64_t offset = found.offset - found.symbol->start;
    return Number::of(code.return_address ? offset + 1 : offset);
  }
  const NamedLocation& found = with_source(code);
  return found.source_line != 0 ? std::optional(Number::of(found.source_line)) : std::nullopt;
}

std::optional<std::string_view> CodeFacts::text(const RecordedCode& code, Fact fact) {
  if (fact == Fact::sym) return if_any(location(code).sym);
  if (fact == Fact::dso) return if_any(location(code).dso);
  return if_any(with_source(code).source_file);
}

std::optional<std::string_view> CodeFacts::data_text(reader::CpuMode mode, std::uint64_t address, Fact fact) {
  CodeLocation at = names_.locate_in_any_mode(*thread_, mode, address);
  if (!at.mapped()) return std::nullopt;
  if (const auto in_file = names_.behind_file(*thread_, at); in_file && in_file->symbol != nullptr) at = *in_file;
  if (fact == Fact::addr_dso) return names_.binary_name(at);
  return at.symbol != nullptr ? if_any(names_.readable_name(at)) : std::nullopt;
}

std::uint64_t CodeFacts::context_of(const RecordedCode& code) const {
  const std::uint64_t maps = is_kernel_mode(code.mode) ? thread_->kernel_maps : thread_->maps;
  return maps << 32 | std::uint64_t{names_.code_version()} << 4 | static_cast<std::uint64_t>(code.mode) << 1 |
         (code.return_address ? 1 : 0);
}

void CodeFacts::get_numbers(reader::Words callchain, reader::CpuMode mode, std::vector<std::uint32_t>& numbers) {
  // An AddressTable has no place for context markers, which a damaged recording may have as addresses.
  constexpr std::uint64_t least_marker = ~std::uint64_t{0} - 4094;
  numbers.clear();
  bool all = true;
  RecordedCode last;
  std::uint64_t context = 0;
  AddressTable* known = nullptr;  // for code like the last
  reader::for_each_frame(callchain, mode, [&](reader::CpuMode frame_mode, std::uint64_t ip, bool return_address) {
    if (known == nullptr || last.mode != frame_mode || last.return_address != return_address) {
      last = {.mode = frame_mode, .return_address = return_address};
      context = context_of(last);
      known = &numbers_.of(context);
    }
    const auto new_number = [&] {
      numbered_.push_back({.ip = ip, .context = context});
      return FrameNamer::Named{.frame = static_cast<FrameId>(numbered_.size() - 1)};
    };
    all &= ip < least_marker && numbered_.size() < most_locations;
    if (all) numbers.push_back(known->find(ip, new_number).frame);
  });
  if (!all) numbers.clear();
}

CodeFacts::NamedLocation& CodeFacts::location(const RecordedCode& code) {
  const LocationKey key{.ip = code.ip, .context = context_of(code)};
  if (locations_.size() >= most_locations) forget_names();
  const auto [named, is_new] = locations_.try_emplace(key);
  if (is_new) named = name_location(code);
  return named;
}

void CodeFacts::forget_names() { locations_.clear(); }

// A return address is the address of the instruction after the call.
CodeFacts::NamedLocation CodeFacts::name_location(const RecordedCode& code) {
  const std::uint64_t address = call_site(code.ip, code.return_address);
  NamedLocation named{.location = names_.locate(*thread_, code.mode, address), .sym = {}, .dso = {}};
  if (!named.location.mapped()) return named;
  named.dso = names_.binary_name(named.location);
  if (named.location.symbol != nullptr) named.sym = names_.readable_name(named.location);
  return named;
}

// The source line comes from the innermost inlined call: this is the line that was running.
const CodeFacts::NamedLocation& CodeFacts::with_source(const RecordedCode& code) {
  NamedLocation& found = location(code);
  if (found.knows_source || !found.location.mapped()) return found;
  found.knows_source = true;
  const std::vector<SourceCall> calls = names_.source_calls(found.location, false);
  if (calls.empty()) return found;
  found.source_file = calls.front().place.file;
  found.source_line = calls.front().place.line;
  return found;
}

}  // namespace perfsift::analysis
