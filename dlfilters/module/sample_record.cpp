#include "dlfilters/module/sample_record.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include <sys/uio.h>
#include <unistd.h>

namespace perfsift::dlfilter {
namespace {

namespace bit = reader::sample_bit;

std::uint64_t word(std::uint32_t first, std::uint32_t second) {
  return std::bit_cast<std::uint64_t>(std::array{first, second});
}

// Reads backwards: each word lies before the last word that was read. The memory may end, as a record may be the first
// thing in a mapping, and words before the record may be asked for: so no page is touched before the kernel has read
// it.
class BackwardReader {
 public:
  explicit BackwardReader(const void* end) : at_(static_cast<const std::byte*>(end)), readable_(page_of(at_)) {}

  // The next word; 0 if it cannot be read.
  [[gnu::no_sanitize_address]] std::uint64_t word() {
    at_ -= sizeof(Word);
    return is_readable() ? reinterpret_cast<const Word*>(at_)->value : 0;
  }
  // `count`: less than a page of words.
  void skip_words(std::size_t count) { at_ -= count * sizeof(Word); }
  const std::byte* at() const { return at_; }

 private:
  struct [[gnu::packed, gnu::may_alias]] Word {
    std::uint64_t value;
  };

  static std::uintptr_t page_of(const std::byte* place) {
    static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    return reinterpret_cast<std::uintptr_t>(place) / page * page;
  }

  bool is_readable() {
    const std::uintptr_t page = page_of(at_);
    if (page < readable_ && can_be_read(at_)) readable_ = page;
    return page >= readable_;
  }

  // process_vm_readv(2) fails if reading would be fatal: nothing is mapped, or the mapping may not be read.
  static bool can_be_read(const std::byte* place) {
    std::byte copy;
    const iovec to{&copy, 1};
    const iovec from{const_cast<std::byte*>(place), 1};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 1;
  }

  const std::byte* at_;
  std::uintptr_t readable_;  // the first page known to be
};

// perf_output_sample() in kernel/events/core.c, from what lies before the callchain to its beginning. A word is
// read only if the word behind it has the right value.
//
// perf shows one counter of a sample that reads several: its id, and how far the counter has moved
// (deliver_sample_value() in tools/perf/util/session.c).
bool has_its_fields_before(const Sample& sample, const reader::EventAttr& attr, BackwardReader& in) {
  struct Field {
    std::uint64_t bit;
    std::uint64_t value;
    std::uint64_t mask = ~std::uint64_t{0};
  };
  const std::uint64_t recorded = attr.has(bit::read) ? 0 : ~std::uint64_t{0};
  const Field fields[] = {
      {bit::period, sample.period & recorded, recorded},
      {bit::cpu, word(static_cast<std::uint32_t>(sample.cpu), 0), word(~std::uint32_t{0}, 0)},
      {bit::stream_id, sample.stream_id},
      {bit::id, sample.id & recorded, recorded},
      {bit::addr, sample.addr},
      {bit::time, sample.time},
      {bit::tid, word(static_cast<std::uint32_t>(sample.pid), static_cast<std::uint32_t>(sample.tid))},
      {bit::ip, sample.ip},
      {bit::identifier, sample.id & recorded, recorded},
  };
  return std::ranges::all_of(
      fields, [&](const Field& field) { return !attr.has(field.bit) || (in.word() & field.mask) == field.value; });
}

// `in` stands at the end of the fields before the callchain and the counters.
std::optional<reader::Record> record_before(const Sample& sample, const reader::EventAttr& attr, BackwardReader in) {
  if (!has_its_fields_before(sample, attr, in)) return std::nullopt;
  const std::byte* const payload = in.at();
  const std::uint64_t first_word = in.word();
  ByteReader header_bytes(std::as_bytes(std::span(&first_word, 1)));
  reader::RecordHeader header;
  header.type = static_cast<reader::RecordType>(header_bytes.u32());
  header.misc = header_bytes.u16();
  header.size = header_bytes.u16();
  const auto before_callchain =
      static_cast<std::size_t>(reinterpret_cast<const std::byte*>(sample.raw_callchain) - in.at());
  if (header.type != reader::RecordType::sample || header.misc != sample.misc || header.size < before_callchain) {
    return std::nullopt;
  }
  return reader::Record{.header = header, .payload = {payload, header.size - reader::record_header_size}};
}

// perf_output_read(): the number of counters in a group stands before the counters, so every number is tried. Words are
// read only if perf leaves the callchain in its record, not if perf may have joined it from two records
// (evlist__deliver_deferred_callchain(), 6.19).
std::optional<reader::Record> record_before_counters(const Sample& sample, const reader::EventAttr& attr,
                                                     BackwardReader in) {
  namespace format = reader::read_format;
  constexpr std::size_t most_counters = 32;
  if (attr.defer_callchain()) return std::nullopt;
  const auto words_of = [&](std::uint64_t part) -> std::size_t { return (attr.read_format & part) != 0 ? 1 : 0; };
  const std::size_t words_of_counter = 1 + words_of(format::id) + words_of(format::lost);
  const std::size_t words_of_times = words_of(format::total_time_enabled) + words_of(format::total_time_running);
  if ((attr.read_format & format::group) == 0) {
    in.skip_words(words_of_counter + words_of_times);
    return record_before(sample, attr, in);
  }
  for (std::size_t counters = 1; counters <= most_counters; ++counters) {
    in.skip_words(words_of_counter);
    BackwardReader before = in;
    before.skip_words(words_of_times);
    if (before.word() != counters) continue;
    if (auto record = record_before(sample, attr, before)) return record;
  }
  return std::nullopt;
}

}  // namespace

std::optional<reader::Record> record_of(const Sample& sample, const reader::EventAttr& attr) {
  if (sample.raw_callchain == nullptr) return std::nullopt;
  BackwardReader in(sample.raw_callchain);
  if (in.word() != sample.raw_callchain_nr) return std::nullopt;
  return attr.has(bit::read) ? record_before_counters(sample, attr, in) : record_before(sample, attr, in);
}

}  // namespace perfsift::dlfilter
