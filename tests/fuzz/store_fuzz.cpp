// The address of a store, rules for labels, and the rows of an engine's answer, each from the same bytes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "store/engine/row_binary.h"
#include "store/label_rules.h"
#include "store/schema.h"
#include "store/url.h"

using namespace perfsift;
using namespace perfsift::store;

namespace {

// Only digits of numbers, hexadecimal digits, and the marks of arrays reach an engine.
void fuzz_url(const std::string& text) {
  constexpr std::string_view harmless = "0123456789abcdef',[]";
  try {
    const StoreUrl url = parse_store_url("chdb:" + text);
    if (url.folder.empty() || url.folder.find('\0') != std::string::npos) __builtin_trap();
    const Parameters parameters = url.selection.parameters();
    for (const auto& [name, value] : parameters.all()) {
      if (value.find_first_not_of(harmless) != std::string::npos) __builtin_trap();
    }
    const std::string condition = url.selection.condition_on_samples();
    if (!condition.starts_with("time >= ") || condition.find(';') != std::string::npos) __builtin_trap();
  } catch (const UsageError& error) {
    if (*error.what() == '\0') __builtin_trap();
  }
}

void fuzz_rules(const std::string& text) {
  try {
    const LabelRules rules("fuzz", text);
    const std::string_view groups[] = {text, "/a"};
    const Labels labels = rules.labels_of_path(text);
    for (const auto& [name, value] : labels) {
      if (name.empty() || text.find(value) == std::string::npos) __builtin_trap();
    }
    rules.labels_of_cgroups(groups);
  } catch (const Error& error) {
    if (*error.what() == '\0') __builtin_trap();
  }
}

void fuzz_rows(std::string_view text) {
  try {
    for (RowReader row(text); !row.at_end();) {
      row.u32();
      row.id();
      row.boolean();
      row.text();
      row.skip_elements(sizeof(Hash128));
      for (std::size_t elements = row.elements(); elements != 0; --elements) row.text();
    }
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  fuzz_url(text);
  fuzz_rules(text);
  fuzz_rows(text);
  for (const std::string_view statement : statements_of(text)) {
    if (statement.empty() || statement.starts_with("--")) __builtin_trap();
  }
  return 0;
}
