#include "dlfilters/module/perf_memory_cells.h"

#include <optional>
#include <string>

#include "base/path.h"
#include "reader/timeline/user_names.h"

namespace perfsift::dlfilter {
namespace {

using analysis::DataKind;
using analysis::FrameId;
using analysis::Key;

// perf shows that an address is the kernel's by the source of its symbols, but not with a vmlinux. perf does not say
// whether a mapping is shared.
DataKind kind_of(const LocationName& name) {
  if (name.dso.empty()) return DataKind::unmapped;
  if (name.kernel || name.dso.starts_with("[kernel")) return DataKind::kernel;
  const BinaryKind kind = is_perf_map(name.dso) ? BinaryKind::anonymous : reader::user_name_kind(name.dso);
  return analysis::kind_of_mapping(name.dso, kind, false);
}

}  // namespace

void PerfMemoryCells::set(PerfSample& sample) {
  code_ = &code_of(sample.name());
  data_ = &data_of(sample.data_name(), sample.recorded().pid);
}

FrameId PerfMemoryCells::short_name(std::string_view dso) {
  if (dso.empty()) return texts_.intern("[unknown]");
  constexpr std::string_view before = "/tmp/perf-", after = ".map";
  if (!is_perf_map(dso)) return texts_.intern(base_name(dso));
  const std::string_view pid = dso.substr(before.size(), dso.size() - before.size() - after.size());
  return texts_.intern("[JIT] tid " + std::string(pid));
}

const PerfMemoryCells::Code& PerfMemoryCells::code_of(const LocationName& name) {
  const auto [code, is_new] = codes_.try_emplace({name.sym.data(), name.dso.data()});
  if (!is_new) return code->second;
  const std::string_view dso = name.dso.empty() ? "[unknown]" : name.dso;
  code->second = {
      .mapped = !name.dso.empty(),
      .symbol = texts_.intern(name.sym.empty() ? analysis::unnamed_text(dso, std::nullopt) : std::string(name.sym)),
      .dso = short_name(name.dso)};
  return code->second;
}

const PerfMemoryCells::Data& PerfMemoryCells::data_of(const LocationName& name, std::int32_t pid) {
  const DataKind kind = kind_of(name);
  const std::int32_t stack_of = kind == DataKind::stack ? pid : -1;
  const auto [data, is_new] = datas_.try_emplace({name.sym.data(), name.dso.data(), name.kernel, stack_of});
  if (!is_new) return data->second;
  data->second = {.kind = kind,
                  .variable = texts_.intern(name.sym.empty() ? analysis::unnamed_data(kind, name.dso, stack_of)
                                                             : std::string(name.sym)),
                  .kind_name = texts_.intern(analysis::name_of(kind)),
                  .dso = short_name(name.dso)};
  return data->second;
}

FrameId PerfMemoryCells::cell(Key key) {
  switch (key) {
    case Key::symbol:
      return code_->symbol;
    case Key::dso:
      return code_->dso;
    case Key::variable:
      return data_->variable;
    case Key::kind:
      return data_->kind_name;
    default:
      return data_->dso;
  }
}

}  // namespace perfsift::dlfilter
