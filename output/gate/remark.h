// A verdict as a list of remarks: what programs that collect results of checks show, each with a place.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/gate/verdict.h"

namespace perfsift::output {

// What a remark says about the build.
enum class RemarkKind : std::uint8_t {
  failed,        // the build must not pass
  cannot_judge,  // the data cannot be judged
  passed,
  note,  // changes nothing
};

// The rule of a remark: a stable word and its meaning.
struct RemarkRule {
  std::string_view id;    // "function-costs-more"
  std::string_view help;  // a sentence
};
std::span<const RemarkRule> remark_rules();

struct Remark {
  RemarkKind kind = RemarkKind::note;
  std::size_t rule = 0;  // index into remark_rules()
  std::string subject;   // the function, the assertion, or the key of the reason; valid UTF-8 in one line
  std::string text;      // a sentence without its stop; valid UTF-8 in one line
  // The budget, or the first recording of the candidate; valid UTF-8. Empty: none.
  std::string file;
  std::uint32_t line = 0, column = 0;  // from 1; 0: of the whole file
};

// In the order of the verdict: reasons, assertions, findings; and one about everything where nothing else says so.
std::vector<Remark> remarks_of(const analysis::Verdict& verdict);

}  // namespace perfsift::output
