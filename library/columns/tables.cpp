#include "library/columns/tables.h"

#include <bit>

#include "base/hash.h"

namespace perfsift::v0::detail {
namespace {

constexpr std::size_t stacks_ahead = 16;
constexpr std::uint32_t no_number = ~std::uint32_t{0};

// Numbers for distinct hashes, from 0.
class HashNumbers {
 public:
  explicit HashNumbers(std::size_t most) : slots_(std::bit_ceil(most * 2 + 1), no_number) {}

  struct Number {
    std::uint32_t number = 0;
    bool is_new = false;
  };
  Number of(const FramesHash& hash) {
    std::size_t slot = place(hash);
    for (; slots_[slot] != no_number; slot = (slot + 1) & (slots_.size() - 1)) {
      if (hashes_[slots_[slot]] == hash) return {.number = slots_[slot]};
    }
    slots_[slot] = static_cast<std::uint32_t>(hashes_.size());
    hashes_.push_back(hash);
    return {.number = slots_[slot], .is_new = true};
  }
  void prefetch(const FramesHash& hash) const { __builtin_prefetch(&slots_[place(hash)]); }

 private:
  std::size_t place(const FramesHash& hash) const { return hash.place & (slots_.size() - 1); }

  LargeVector<std::uint32_t> slots_;
  LargeVector<FramesHash> hashes_;
};

}  // namespace

Tables::Tables(const reader::Timeline& timeline, ColumnsState& state) : timeline_(timeline), state_(state) {
  state_.name_starts.push_back(0);
  name("");
  state_.stack_starts.push_back(0);
}

void Tables::number_comms() {
  for (std::size_t i = 0; i < state_.comm.size(); ++i) state_.comm[i] = comm(state_.comm[i], state_.tid[i]);
}

std::uint32_t Tables::comm(reader::NameId id, std::int32_t tid) {
  if (id != 0) {
    if (names_of_threads_.size() <= id) names_of_threads_.resize(id + 1);
    std::uint32_t& known = names_of_threads_[id];
    return known != 0 ? known : known = name(timeline_.name(id));
  }
  const auto [known, is_new] = names_of_unnamed_.try_emplace(tid, 0);
  return is_new ? known->second = name(timeline_.comm(tid, {})) : known->second;
}

std::uint32_t Tables::name(std::string_view text) {
  const auto [known, is_new] = names_.try_emplace(std::string(text), static_cast<std::uint32_t>(names_.size()));
  if (is_new) {
    state_.name_bytes += text;
    state_.name_starts.push_back(state_.name_bytes.size());
  }
  return known->second;
}

// Gives stacks and frames their final numbers.
class Tables::StackNumbers {
 public:
  StackNumbers(Tables& tables, const Stacks& stacks)
      : tables_(tables),
        state_(tables.state_),
        stacks_(stacks),
        known_(stacks.size(), no_number),
        distinct_(stacks.size()) {}

  std::uint32_t of(std::uint32_t stack) {
    if (stack == Columns::no_stack) return stack;
    return known_[stack] != no_number ? known_[stack] : known_[stack] = find(stack);
  }
  void prefetch(std::uint32_t stack) const {
    if (stack != Columns::no_stack && known_[stack] == no_number) distinct_.prefetch(stacks_.hash(stack));
  }

 private:
  std::uint32_t find(std::uint32_t stack) {
    const auto [number, is_new] = distinct_.of(stacks_.hash(stack));
    if (is_new) {
      stacks_.for_each_frame(stack, [&](analysis::FrameId id) { state_.stack_frames.push_back(frame(id)); });
      state_.stack_starts.push_back(state_.stack_frames.size());
    }
    return number;
  }

  std::uint32_t frame(analysis::FrameId id) {
    if (frames_.size() <= id) frames_.resize(id + 1, no_number);
    return frames_[id] != no_number ? frames_[id] : frames_[id] = append(stacks_.names().frame(id));
  }

  std::uint32_t append(const Frame& frame) {
    state_.frame_function.push_back(tables_.name(frame.function));
    state_.frame_binary.push_back(tables_.name(frame.binary));
    state_.frame_file.push_back(tables_.name(frame.file));
    state_.frame_line.push_back(frame.line);
    state_.frame_address.push_back(frame.address);
    state_.frame_kind.push_back(static_cast<std::uint8_t>(frame.kind));
    state_.frame_inlined.push_back(frame.inlined ? 1 : 0);
    state_.frame_named.push_back(frame.named ? 1 : 0);
    return static_cast<std::uint32_t>(state_.frame_function.size() - 1);
  }

  Tables& tables_;
  ColumnsState& state_;
  const Stacks& stacks_;
  LargeVector<std::uint32_t> known_;  // final numbers, by the number in stacks_
  HashNumbers distinct_;
  std::vector<std::uint32_t> frames_;  // final numbers, by FrameId
};

void Tables::number_stacks(const Stacks& stacks) {
  StackNumbers numbers(*this, stacks);
  UnsetVector<std::uint32_t>& column = state_.stack;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (i + stacks_ahead < column.size()) numbers.prefetch(column[i + stacks_ahead]);
    column[i] = numbers.of(column[i]);
  }
}

}  // namespace perfsift::v0::detail
