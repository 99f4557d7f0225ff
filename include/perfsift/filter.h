/// \file
/// Filters: expressions that say which samples, or which intervals off the CPU, are kept.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <perfsift/export.h>

namespace PERFSIFT_NAMESPACE {

namespace detail {
struct FilterState;
struct Access;
}  // namespace detail

/// A parsed expression, such as `comm == "worker" && sym =~ "lock"`. perfsift-filter(7) describes the language, which
/// is the same in the commands, in the dlfilter modules and here.
///
/// Thread-safety: immutable; copies share their contents. Independent of recordings: one filter serves many.
class PERFSIFT_API Filter {
 public:
  /// Keeps everything.
  Filter();
  /// An expression about samples. Throws Error (filter) with the line and the column of the mistake, what was
  /// expected, and the nearest name there is. An unknown name may be a field of a tracepoint: the visit of a recording
  /// without such a field throws that error.
  explicit Filter(std::string_view text);
  /// An expression about intervals, for OffCpu: with the fields offcpu, blocked, runqueue, wait and others. Throws
  /// Error (filter).
  static Filter of_intervals(std::string_view text);
  Filter(const Filter&);             ///< Shares the contents.
  Filter& operator=(const Filter&);  ///< Shares the contents.
  ~Filter();                         ///< Never throws.

  /// Whether the filter keeps everything.
  bool keeps_all() const noexcept;
  /// Whether the expression is about intervals. Such a filter cannot filter samples, and the other way round.
  bool is_of_intervals() const noexcept;
  /// The text; empty for a filter that keeps everything. Lives as long as the object.
  const std::string& text() const noexcept;

 private:
  friend struct detail::Access;
  explicit Filter(std::shared_ptr<const detail::FilterState> state);
  std::shared_ptr<const detail::FilterState> state_;
};

}  // namespace PERFSIFT_NAMESPACE
