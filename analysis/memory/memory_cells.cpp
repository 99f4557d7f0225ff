#include "analysis/memory/memory_cells.h"

#include <bit>

#include <fmt/format.h>

#include "analysis/memory/data_source_text.h"
#include "analysis/samples/number_text.h"
#include "analysis/samples/stack_options.h"
#include "base/binary.h"
#include "facts/recorded_number.h"
#include "filter/field.h"

namespace perfsift::analysis {
namespace {

constexpr std::uint64_t usual_page = 4096;

// The bits of the data source on which the text of the part depends.
std::uint64_t part_number(Key key, const DataSource& source) {
  switch (key) {
    case Key::operation:
      return source.operation;
    case Key::level:
      return source.level | std::uint64_t{source.level_number} << 16 | std::uint64_t{source.remote} << 24 |
             std::uint64_t{source.hops} << 32;
    case Key::snoop:
      return source.snoop | source.snoop_extended << 8;
    case Key::tlb:
      return source.tlb;
    case Key::locked:
      return source.lock;
    default:
      return source.blocked;
  }
}

// "[3].book.bid" -> "[].book.bid"
std::string without_indices(std::string_view path) {
  std::string text;
  bool in_index = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool is_number = i + 1 < path.size() && (path[i + 1] == '-' || (path[i + 1] >= '0' && path[i + 1] <= '9'));
    if (path[i] == ']') in_index = false;
    if (!in_index) text += path[i];
    if (path[i] == '[' && is_number) in_index = true;
  }
  return text;
}

}  // namespace

std::uint64_t cache_line_size(const reader::Features& features) {
  constexpr std::uint64_t usual = 64, most = 4096;
  const auto plausible = [](std::uint64_t size) { return std::has_single_bit(size) && size >= 16 && size <= most; };
  if (features.cache_line_size && plausible(*features.cache_line_size)) return *features.cache_line_size;
  for (const reader::CacheLevel& cache : features.caches) {
    if (cache.level == 1 && plausible(cache.line_size)) return cache.line_size;
  }
  return usual;
}

MemoryCells::MemoryCells(const reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                         const MemoryNodes& nodes, FrameTable& texts)
    : timeline_(recording.timeline()),
      nodes_(nodes),
      texts_(texts),
      names_(recording, symbolizer, symbolize::DemangleStyle::plain),
      places_(recording, names_),
      line_size_(cache_line_size(recording.features())),
      unmapped_code_{.symbol = texts.intern("[unknown]"), .dso = texts.intern("[unknown]")},
      unmapped_data_(data_of({})),
      known_(static_cast<std::size_t>(Key::first_number) + filter::fact_count) {}

void MemoryCells::set(const reader::Sample& sample, const reader::ThreadState& thread, const MemoryAccess& access) {
  sample_ = &sample;
  thread_ = &thread;
  access_ = access;
  code_ = nullptr;
  data_ = nullptr;
  names_.set_time(thread, sample.time);
}

const MemoryCells::Code& MemoryCells::code() {
  if (code_ != nullptr) return *code_;
  const Space space = code_space();
  code_ = codes_.find(space, sample_->ip);
  if (code_ == nullptr) code_ = &look_up_code(space);
  return *code_;
}

const MemoryCells::Code& MemoryCells::look_up_code(const Space& space) {
  const CodeLocation location = names_.locate(*thread_, sample_->cpumode, sample_->ip);
  if (!location.mapped()) return unmapped_code_;
  return codes_.get(space, sample_->ip, names_.range_of(location), [&] { return code_of(location); });
}

MemoryCells::Code MemoryCells::code_of(const CodeLocation& location) {
  return {
      .mapped = true,
      .symbol = texts_.intern(location.symbol != nullptr ? std::string(names_.readable_name(location))
                                                         : unnamed_text(names_.binary_name(location), std::nullopt)),
      .dso = texts_.intern(short_binary_name(names_.binary(location)))};
}

const MemoryCells::Data& MemoryCells::data() {
  if (data_ != nullptr) return *data_;
  const Space space = data_space();
  data_ = datas_.find(space, sample_->addr);
  if (data_ == nullptr) data_ = &look_up_data(space);
  return *data_;
}

const MemoryCells::Data& MemoryCells::look_up_data(const Space& space) {
  const DataPlace place = places_.of(*sample_, *thread_);
  if (!place.mapped()) return unmapped_data_;
  return datas_.get(space, sample_->addr, place.range, [&] { return data_of(place); });
}

MemoryCells::Data MemoryCells::data_of(const DataPlace& place) {
  return {.place = place,
          .variable = texts_.intern(places_.variable(place)),
          .dso = texts_.intern(places_.binary(place)),
          .kind = texts_.intern(name_of(place.kind)),
          .range = texts_.intern(DataPlaces::mapping(place))};
}

MemoryCells::AddressCells& MemoryCells::at_address() {
  if (addresses_.size() >= most_addresses) addresses_.clear();
  return addresses_[{.space = data_space(), .address = sample_->addr}];
}

FrameId MemoryCells::symbol_of_data() {
  AddressCells& cells = at_address();
  if (!cells.symbol) cells.symbol = texts_.intern(places_.symbol_and_offset(place(), sample_->addr));
  return *cells.symbol;
}

const MemoryCells::SourceCells& MemoryCells::source() {
  AddressCells& cells = at_address();
  if (cells.source) return *cells.source;
  const DataPlace of = place();
  const SourceTexts found = places_.source_texts(of);
  const std::string variable = places_.variable(of);
  cells.source = {.member = texts_.intern(variable + found.path),
                  .field = texts_.intern(variable + without_indices(found.path)),
                  .declaration = texts_.intern(found.declaration)};
  return *cells.source;
}

FrameId MemoryCells::section() {
  AddressCells& cells = at_address();
  if (!cells.section) cells.section = texts_.intern(places_.section(place()));
  return *cells.section;
}

bool MemoryCells::mapped() { return code().mapped && data().place.mapped(); }

MemoryCells::Home MemoryCells::home() {
  constexpr std::uint64_t shared_space = std::uint64_t{1} << 40, kernel_space = std::uint64_t{1} << 41;
  const DataPlace& place = data().place;
  const std::uint64_t moved = sample_->addr - place.location.address;
  Home home{.space = static_cast<std::uint32_t>(thread_->pid), .address = sample_->addr, .offset = sample_->addr};
  if (place.kind == DataKind::kernel) {
    home.space = kernel_space;
  } else if (place.shared_mapping) {
    home.space = shared_space + place.location.binary;
    home.address = place.shared_offset + moved;
  }
  if (place.location.symbol != nullptr) {
    home.binary = place.location.binary;
    home.offset = place.location.offset + moved;
  }
  return home;
}

template <typename Make>
FrameId MemoryCells::known(Key key, std::uint64_t number, Make&& make) {
  auto& cells = known_[static_cast<std::size_t>(key)];
  if (cells.size() >= most_addresses) cells.clear();
  const auto [cell, is_new] = cells.try_emplace(number);
  if (is_new) cell = texts_.intern(make());
  return cell;
}

FrameId MemoryCells::cell(Key key) {
  switch (key) {
    case Key::symbol:
      return code().symbol;
    case Key::dso:
      return code().dso;
    case Key::srcline:
      return line();
    case Key::symbol_iaddr:
      return instruction();
    case Key::symbol_daddr:
      return symbol_of_data();
    case Key::section:
      return section();
    case Key::range:
      return data().range;
    case Key::variable:
      return data().variable;
    case Key::member:
      return source().member;
    case Key::field:
      return source().field;
    case Key::declaration:
      return source().declaration;
    case Key::dso_daddr:
      return data().dso;
    case Key::kind:
      return data().kind;
    case Key::comm:
    case Key::pid:
    case Key::tgid:
    case Key::cpu:
    case Key::cgroup:
    case Key::event:
      return thread_cell(key);
    case Key::node:
      return node_text(data_node());
    case Key::cpu_node:
      return node_text(cpu_node());
    case Key::daddr:
    case Key::phys_daddr:
    case Key::dcacheline:
    case Key::page:
    case Key::data_page_size:
      return address_cell(key);
    default:
      return number_behind(key) ? number_cell(key) : source_cell(key);
  }
}

FrameId MemoryCells::thread_cell(Key key) {
  const std::uint64_t tid = static_cast<std::uint32_t>(sample_->tid);
  constexpr std::uint64_t without_name = std::uint64_t{1} << 32;
  switch (key) {
    case Key::comm:
      return known(key, thread_->comm != 0 ? thread_->comm : without_name | tid,
                   [&] { return timeline_.comm(sample_->tid, *thread_); });
    case Key::cpu:
      return known(key, static_cast<std::uint32_t>(sample_->cpu),
                   [&] { return sample_->cpu >= 0 ? std::to_string(sample_->cpu) : std::string("[unknown]"); });
    case Key::cgroup:
      return known(key, sample_->cgroup, [&] {
        const std::string_view path = timeline_.cgroup(sample_->cgroup);
        return path.empty() ? std::string_view("[unknown]") : path;
      });
    case Key::event:
      return known(key, sample_->event->index, [&] { return std::string_view(sample_->event->name); });
    default:
      return thread_text(key == Key::tgid);
  }
}

FrameId MemoryCells::source_cell(Key key) {
  const DataSource source = access_.source();
  return known(key, part_number(key, source), [&] { return part_text(key, source); });
}

// The weight is the latency of the access, which SPE and IBS have elsewhere. As in perf, a number that was not recorded
// is 0.
FrameId MemoryCells::number_cell(Key key) {
  const filter::Fact fact = *number_behind(key);
  const filter::Number number = fact == filter::Fact::weight
                                    ? filter::Number::of(access_.latency)
                                    : facts::recorded_number(*sample_, fact).value_or(filter::Number());
  return known(key, number.bits, [&] { return number_text(filter::sort_field(fact).form, number); });
}

FrameId MemoryCells::address_cell(Key key) {
  const auto address = [&](std::uint64_t value) {
    return known(key, value, [&] { return fmt::format("0x{:x}", value); });
  };
  switch (key) {
    case Key::phys_daddr:
      return address(sample_->phys_addr);
    case Key::dcacheline:
      return line_of_cache();
    case Key::page: {
      const std::uint64_t size = std::has_single_bit(sample_->data_page_size) ? sample_->data_page_size : usual_page;
      return address(sample_->addr & ~(size - 1));
    }
    case Key::data_page_size:
      return known(key, sample_->data_page_size, [&] { return page_size_text(sample_->data_page_size); });
    default:
      return address(sample_->addr);
  }
}

// The variable at the start of the line, in perf's form, or the address.
FrameId MemoryCells::line_of_cache() {
  const std::uint64_t start = sample_->addr & ~(line_size_ - 1);
  const DataPlace place = this->place();
  if (place.location.symbol == nullptr) {
    return known(Key::dcacheline, start, [&] { return fmt::format("0x{:016x}", start); });
  }
  const std::uint64_t in_symbol = place.location.offset - place.location.symbol->start;
  const std::uint64_t in_line = sample_->addr - start;
  if (in_line > in_symbol) return texts_.intern(fmt::format("0x{:016x}", start));
  return texts_.intern(fmt::format("{}+0x{:x}", names_.readable_name(place.location), in_symbol - in_line));
}

FrameId MemoryCells::instruction() {
  if (instructions_.size() >= most_addresses) instructions_.clear();
  const auto [text, is_new] = instructions_.try_emplace({.space = code_space(), .address = sample_->ip});
  if (!is_new) return text;
  const CodeLocation location = names_.locate(*thread_, sample_->cpumode, sample_->ip);
  text = texts_.intern(location.symbol == nullptr ? fmt::format("0x{:016x}", sample_->ip)
                                                  : fmt::format("{}+0x{:x}", names_.readable_name(location),
                                                                location.offset - location.symbol->start));
  return text;
}

FrameId MemoryCells::line() {
  if (lines_.size() >= most_addresses) lines_.clear();
  const auto [line, is_new] = lines_.try_emplace({.space = code_space(), .address = sample_->ip});
  if (!is_new) return line;
  const CodeLocation location = names_.locate(*thread_, sample_->cpumode, sample_->ip);
  const std::vector<SourceCall> calls = names_.source_calls(location, false);
  const bool unknown = calls.empty() || calls.front().place.file.empty();
  line =
      texts_.intern(unknown ? "[unknown]" : fmt::format("{}:{}", calls.front().place.file, calls.front().place.line));
  return line;
}

FrameId MemoryCells::thread_text(bool process) {
  const Key key = process ? Key::tgid : Key::pid;
  const std::int32_t id = process ? sample_->pid : sample_->tid;
  return known(key, std::uint64_t{static_cast<std::uint32_t>(id)} << 32 | thread_->comm,
               [&] { return fmt::format("{}:{}", id, timeline_.comm(sample_->tid, *thread_)); });
}

FrameId MemoryCells::node_text(std::optional<std::uint32_t> node) {
  return known(Key::node, node ? *node : ~std::uint64_t{0},
               [&] { return node ? std::to_string(*node) : std::string("[unknown]"); });
}

}  // namespace perfsift::analysis
