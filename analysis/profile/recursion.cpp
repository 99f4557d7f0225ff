#include "analysis/profile/recursion.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analysis/profile/common_names.h"
#include "base/hash.h"

namespace perfsift::analysis {
namespace {

using FunctionNumber = std::uint32_t;
constexpr FunctionNumber no_function = 0;

bool is_outer(FrameKind kind) { return kind == FrameKind::thread || kind == FrameKind::cgroup; }

// Numbers the functions of frames. Calls of a function may differ in line, address, and in being inlined.
class FunctionNumbers {
 public:
  explicit FunctionNumbers(const FrameTable& frames) {
    std::map<std::tuple<const char*, FrameKind, std::string_view>, FunctionNumber> known;
    numbers_.reserve(frames.size());
    for (FrameId frame = 0; frame < frames.size(); ++frame) {
      const FrameOrigin& origin = frames.origin(frame);
      const std::string_view text = frames.text(frame);
      const bool named = !origin.unnamed && !text.starts_with('[') && origin.kind != FrameKind::event;
      if (!named || is_outer(origin.kind)) {
        numbers_.push_back(no_function);
        continue;
      }
      // Equal texts have equal addresses, so the address stands for the text.
      const std::tuple key(text.data(), origin.kind, binary_name_of(frames, frame, FunctionNames::processes));
      numbers_.push_back(known.try_emplace(key, static_cast<FunctionNumber>(known.size() + 1)).first->second);
    }
    functions_ = known.size() + 1;
  }

  FunctionNumber operator[](FrameId frame) const { return numbers_[frame]; }
  std::size_t size() const { return functions_; }

 private:
  std::vector<FunctionNumber> numbers_;
  std::size_t functions_ = 0;
};

// Collapses stacks, one after the other.
class Collapser {
 public:
  Collapser(const FrameTable& frames, const StackShape& shape)
      : frames_(frames), shape_(shape), functions_(frames), places_(functions_.size(), nowhere) {}

  // `stack`: root first. The remaining frames replace it.
  void collapse(std::vector<FrameId>& stack) {
    std::size_t size = 0;
    for (const FrameId frame : stack) {
      const FunctionNumber function = functions_[frame];
      if (const std::size_t again = place_of(function, stack, size); again != nowhere) {
        forget(stack, again, size);
        size = again;
      }
      if (function != no_function) places_[function] = size;
      stack[size++] = frame;
    }
    forget(stack, 0, size);
    stack.resize(size);
    cut(stack);
  }

 private:
  static constexpr std::size_t nowhere = ~std::size_t{0};

  // The place of the earlier call that this call of the function is joined with.
  std::size_t place_of(FunctionNumber function, const std::vector<FrameId>& stack, std::size_t size) const {
    if (function == no_function) return nowhere;
    if (shape_.recursion == Recursion::cycles) return places_[function];
    return size != 0 && functions_[stack[size - 1]] == function ? size - 1 : nowhere;
  }

  void forget(const std::vector<FrameId>& stack, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) places_[functions_[stack[i]]] = nowhere;
  }

  void cut(std::vector<FrameId>& stack) const {
    if (shape_.max_depth == 0) return;
    std::size_t outer = 0;
    while (outer < stack.size() && is_outer(frames_.origin(stack[outer]).kind)) ++outer;
    if (stack.size() - outer > shape_.max_depth) stack.resize(outer + shape_.max_depth);
  }

  const FrameTable& frames_;
  const StackShape& shape_;
  const FunctionNumbers functions_;
  std::vector<std::size_t> places_;  // by function: the place of its call in the stack
};

// The remaining callers of a stack begin with the remaining frames of its callers alone. So callers that many stacks
// share are shared again.
struct LeftCallers {
  CallersId of;
  std::size_t size = 0;
  bool operator==(const LeftCallers& other) const {
    return of.list == other.of.list && of.index == other.of.index && size == other.size;
  }
};
struct LeftCallersHash {
  std::size_t operator()(const LeftCallers& callers) const {
    return mix(std::uint64_t{callers.of.list} << 32 | callers.of.index, callers.size ^ odd_1);
  }
};

}  // namespace

void collapse_recursion(Profile& profile, const StackShape& shape) {
  if (shape.recursion == Recursion::kept) return;
  Collapser collapser(profile.frames(), shape);
  std::unordered_map<LeftCallers, CallersId, LeftCallersHash> known;
  std::vector<FrameId> stack;
  for (std::size_t number = 0; number < profile.lists().size(); ++number) {
    StackList& list = profile.list(number);
    for (std::size_t i = 0; i < list.entries().size(); ++i) {
      const StackList::Entry& entry = list.entries()[i];
      profile.get_frames(entry, stack);
      const std::size_t before = stack.size();
      collapser.collapse(stack);
      if (stack.size() == before) continue;
      const auto [callers, is_new] = known.try_emplace({.of = entry.callers, .size = stack.size()});
      if (is_new) {
        const EventId event = profile.callers(entry.callers).event;
        callers->second = list.add_callers(event, std::span(stack).first(stack.size() - 1));
      }
      list.change(i, callers->second, stack.back());
    }
  }
}

}  // namespace perfsift::analysis
