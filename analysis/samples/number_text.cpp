#include "analysis/samples/number_text.h"

#include <string_view>

#include <fmt/format.h>

#include "base/size_text.h"

namespace perfsift::analysis {
namespace {

// PERF_TXN_* of include/uapi/linux/perf_event.h, in the order of txbits[] in tools/perf/util/sort.c.
struct TransactionBit {
  std::uint64_t bit;
  std::string_view word;
};
constexpr std::uint64_t synchronous = 1 << 2, asynchronous = 1 << 3;
constexpr TransactionBit transaction_bits[] = {{1 << 0, "EL"},          {1 << 1, "TX"},      {synchronous, "SYNC"},
                                               {asynchronous, "ASYNC"}, {1 << 4, "RETRY"},   {1 << 5, "CON"},
                                               {1 << 6, "CAP-WRITE"},   {1 << 7, "CAP-READ"}};

// hist_entry__transaction_snprintf()
std::string transaction_text(std::uint64_t bits) {
  constexpr unsigned abort_shift = 32;
  if (bits == 0) return "none";
  std::string text;
  const auto add = [&](std::string_view word) { text += (text.empty() ? "" : " ") + std::string(word); };
  for (const TransactionBit& part : transaction_bits) {
    if ((bits & part.bit) != 0) add(part.word);
  }
  if ((bits & (synchronous | asynchronous)) == 0) add("NEITHER");
  if (bits >> abort_shift != 0) add(fmt::format(":{:x}", bits >> abort_shift));
  return text;
}

}  // namespace

// get_page_size_name() in tools/perf/util/event.c.
std::string page_size_text(std::uint64_t bytes) { return bytes != 0 ? size_text(bytes) : "N/A"; }

std::string number_text(filter::NumberForm form, filter::Number value) {
  using enum filter::NumberForm;
  switch (form) {
    case transaction:
      return transaction_text(value.bits);
    case page_size:
      return page_size_text(value.bits);
    case hexadecimal:
      return fmt::format("{:#x}", value.bits);
    case decimal:
      break;
  }
  return value.negative ? fmt::format("{}", static_cast<std::int64_t>(value.bits)) : fmt::format("{}", value.bits);
}

}  // namespace perfsift::analysis
