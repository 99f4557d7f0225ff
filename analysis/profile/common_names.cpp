#include "analysis/profile/common_names.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "analysis/input/text_scan.h"
#include "base/path.h"

namespace perfsift::analysis {
namespace {

// Where the number at the end of a name begins, behind its '.': "0" in "f.isra.0". The end of the text if there is
// none.
std::size_t start_of_number(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  return last != npos && name[last] == '.' ? last : name.size();
}

// GCC: clone_function_name() numbers every suffix except .cold, which old versions number, too. LLVM:
// -ffunction-sections with ThinLTO appends .llvm.HASH.
std::string_view without_last_suffix(std::string_view name) {
  constexpr std::array numbered{".constprop", ".isra", ".part", ".lto_priv", ".llvm", ".cold", ".localalias"};
  constexpr std::array alone{".cold", ".localalias"};
  const auto stem_before = [&name](std::string_view with, const auto& suffixes) {
    for (const std::string_view suffix : suffixes) {
      if (with.ends_with(suffix) && with.size() > suffix.size()) return with.substr(0, with.size() - suffix.size());
    }
    return name;
  };
  const std::size_t number = start_of_number(name);
  return number != name.size() ? stem_before(name.substr(0, number), numbered) : stem_before(name, alone);
}

std::string_view without_suffixes(std::string_view name) {
  for (;;) {
    std::string_view rest = without_last_suffix(name);
    constexpr std::string_view clone = " [clone ";
    if (const std::size_t at = name.rfind(clone); name.ends_with(']') && at != npos && at != 0) {
      const std::string_view suffix = name.substr(at + clone.size(), name.size() - at - clone.size() - 1);
      const bool made_up = suffix.starts_with('.') && without_suffixes("f" + std::string(suffix)) == "f";
      if (made_up) rest = name.substr(0, at);
    }
    if (rest.size() == name.size()) return name;
    name = rest;
  }
}

// The end of the address of a hidden class, "/0x0000000800c03000", with at least eight digits. `at` if there is no
// address.
std::size_t end_of_address(std::string_view name, std::size_t at) {
  constexpr std::size_t fewest = 8;
  constexpr std::string_view prefix = "0x";
  if (at >= name.size() || (name[at] != '/' && name[at] != '+' && name[at] != '.')) return at;
  if (!name.substr(at + 1).starts_with(prefix)) return at;
  const std::size_t digits = at + 1 + prefix.size();
  const std::size_t end = skip(name, digits, is_hex);
  return end - digits >= fewest ? end : at;
}

// The end of the JVM's suffix of "$$Lambda": "$14/0x0000000800c03000", or "$14/1234567890" before Java 15.
std::size_t end_of_lambda(std::string_view name, std::size_t at) {
  if (at + 1 < name.size() && name[at] == '$' && is_digit(name[at + 1])) at = skip(name, at + 1, is_digit);
  const std::size_t end = end_of_address(name, at);
  if (end != at || at + 1 >= name.size() || name[at] != '/' || !is_digit(name[at + 1])) return end;
  return skip(name, at + 1, is_digit);
}

// java.lang.Class says: the name of a hidden class ends with '/' and the address.
std::string without_hidden_classes(std::string_view name) {
  constexpr std::string_view lambda = "$$Lambda";
  std::string shown;
  for (std::size_t at = 0; at < name.size();) {
    if (name.substr(at).starts_with(lambda)) {
      shown += lambda;
      at = end_of_lambda(name, at + lambda.size());
    } else if (const std::size_t end = name[at] == '/' ? end_of_address(name, at) : at; end != at) {
      at = end;
    } else {
      shown += name[at++];
    }
  }
  return shown;
}

}  // namespace

std::string common_name(std::string_view name) {
  name = without_suffixes(name);
  const bool may_be_hidden = name.find("$$Lambda") != npos || name.find("/0x") != npos;
  return may_be_hidden ? without_hidden_classes(name) : std::string(name);
}

std::string name_of(const FrameTable& frames, FrameId frame, FunctionNames names) {
  if (names == FunctionNames::recorded) return std::string(frames.text(frame));
  const std::string_view name = name_in_any_process(frames, frame);
  const FrameOrigin& origin = frames.origin(frame);
  const bool is_code = origin.kind != FrameKind::event && origin.kind != FrameKind::cgroup &&
                       origin.kind != FrameKind::thread && !origin.unnamed;
  return names == FunctionNames::common && is_code ? common_name(name) : std::string(name);
}

std::string_view name_in_any_process(const FrameTable& frames, FrameId frame) {
  const FrameOrigin& origin = frames.origin(frame);
  return origin.kind == FrameKind::jit && origin.unnamed ? generated_code : frames.text(frame);
}

std::string_view binary_name_of(const FrameTable& frames, FrameId frame, FunctionNames names) {
  const bool generated = names != FunctionNames::recorded && frames.origin(frame).kind == FrameKind::jit;
  return generated ? generated_code : base_name(frames.binary_of(frame));
}

}  // namespace perfsift::analysis
