#include "record/flight/ring_sizer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace perfsift::record {

namespace {

constexpr std::chrono::milliseconds shortest_look{500};
constexpr double reserve = 1.25;             // rates vary
constexpr std::size_t largest = 1ULL << 30;  // bytes of a ring
using Seconds = std::chrono::duration<double>;

}  // namespace

std::size_t RingSizer::affordable(std::size_t rings) const {
  return rings == 0 || most_ / rings == 0 ? 0 : std::bit_floor(most_ / rings);
}

std::optional<std::size_t> RingSizer::look(Time now, const std::vector<RingFill>& fills) {
  if (last_ && now - last_->time < shortest_look) return std::nullopt;
  double rate = 0;  // bytes a second
  std::size_t capacity = 0;
  Look next{.time = now, .written = {}};
  for (const RingFill& fill : fills) {
    next.written[fill.ring] = fill.written;
    capacity = std::max(capacity, fill.capacity);
    if (!last_) continue;
    const auto before = last_->written.find(fill.ring);
    if (before == last_->written.end() || fill.written < before->second) continue;
    rate = std::max(rate, static_cast<double>(fill.written - before->second) / Seconds(now - last_->time).count());
  }
  last_ = std::move(next);
  if (rate == 0) return std::nullopt;
  const double held = std::min(static_cast<double>(capacity) / rate, 1e9);
  held_ = std::chrono::duration_cast<std::chrono::nanoseconds>(Seconds(held));
  const double needed = std::min(rate * Seconds(window_).count() * reserve, static_cast<double>(largest));
  const std::size_t wished = std::bit_ceil(static_cast<std::size_t>(std::ceil(needed)));
  const std::size_t size = std::min(wished, affordable(fills.size()));
  return size > capacity ? std::optional(size) : std::nullopt;
}

}  // namespace perfsift::record
