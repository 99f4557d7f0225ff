#include "reader/ibs/ibs_unit.h"

#include <optional>

#include "base/number_in.h"

namespace perfsift::reader {
namespace {

// Takes the number behind the next comma from `text`.
std::optional<unsigned> take_next(std::string_view& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  text.remove_prefix(comma + 1);
  return take_number<unsigned>(text);
}

}  // namespace

IbsUnit ibs_unit(std::string_view pmu) {
  if (pmu.starts_with("ibs_op")) return IbsUnit::op;
  return pmu.starts_with("ibs_fetch") ? IbsUnit::fetch : IbsUnit::none;
}

bool IbsProcessor::needs_physical_address() const {
  const auto in = [this](unsigned first, unsigned last) { return model >= first && model <= last; };
  return family > 0x1a || (family == 0x1a && (in(0x50, 0x5f) || in(0x80, 0xaf) || in(0xc0, 0xcf)));
}

IbsProcessor ibs_processor(std::string_view cpu_id) {
  const auto family = take_next(cpu_id);
  const auto model = take_next(cpu_id);
  return family && model ? IbsProcessor{*family, *model} : IbsProcessor{};
}

}  // namespace perfsift::reader
