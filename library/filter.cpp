#include <utility>

#include <perfsift/filter.h>

#include "library/access.h"
#include "library/filter_state.h"
#include "library/translated.h"

namespace perfsift::v0 {
namespace {

std::shared_ptr<const detail::FilterState> parse(std::string_view text, filter::Subject subject) {
  return detail::translated([&] {
    auto state = std::make_shared<detail::FilterState>();
    state->text = text;
    state->subject = subject;
    state->filter = filter::Filter::parse({{.origin = "filter", .text = state->text}}, subject);
    return std::shared_ptr<const detail::FilterState>(std::move(state));
  });
}

}  // namespace

Filter::Filter() = default;
Filter::Filter(std::string_view text) : state_(parse(text, filter::Subject::sample)) {}
Filter::Filter(std::shared_ptr<const detail::FilterState> state) : state_(std::move(state)) {}
Filter::Filter(const Filter&) = default;
Filter& Filter::operator=(const Filter&) = default;
Filter::~Filter() = default;

Filter Filter::of_intervals(std::string_view text) {
  return detail::Access::filter(parse(text, filter::Subject::interval));
}

bool Filter::keeps_all() const noexcept { return state_ == nullptr; }

bool Filter::is_of_intervals() const noexcept {
  return state_ != nullptr && state_->subject == filter::Subject::interval;
}

const std::string& Filter::text() const noexcept {
  static const std::string none;
  if (state_ == nullptr) return none;
  return state_->text;
}

}  // namespace perfsift::v0
