// The functions and stacks of a recording as rows, each once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/profile/profile.h"
#include "base/sip_hash.h"
#include "store/ids.h"
#include "store/recording_rows.h"

namespace perfsift::store {

// Not thread-safe. The arguments must live longer.
class StackRows {
 public:
  // `profile`: has the frames of all stacks.
  StackRows(const analysis::Profile& profile, bool is_folded_text, RecordingRows& to);

  // The place of a stack of the profile, by its number there.
  std::uint32_t place_of(std::uint32_t stack);
  // The place of a stack with these frames, root first.
  std::uint32_t place_of(std::span<const analysis::FrameId> frames);
  const Hash128& id(std::uint32_t place) const { return to_.stacks.rows[place].id; }

 private:
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};

  std::uint32_t add(const analysis::StackList::Entry& stack);
  // `leaf`: nullptr if the callers are all frames.
  std::uint32_t place_of_id(const StackId& whole, std::span<const analysis::FrameId> callers,
                            const analysis::FrameId* leaf);
  const Hash128& function(analysis::FrameId frame);
  Hash128 add_function(analysis::FrameId frame);
  void write(const Hash128& id, const StoredFunction& function);

  const analysis::Profile& profile_;
  const bool is_folded_text_;
  const std::vector<const analysis::StackList::Entry*> stacks_;
  RecordingRows& to_;
  std::vector<std::optional<Hash128>> functions_;             // by FrameId
  std::vector<std::vector<std::optional<StackId>>> callers_;  // by CallersId
  std::vector<std::uint32_t> places_;                         // by number of the stack
  std::optional<std::uint32_t> empty_;                        // the place of the stack without frames
  std::unordered_map<Hash128, std::uint32_t, HashOfId> by_id_;
};

// The places of a list of stacks, each looked up on first use: stacks that no row has are not written. Not thread-safe.
// The arguments must live longer.
class StackPlaces {
 public:
  StackPlaces(std::span<const std::vector<analysis::FrameId>> stacks, StackRows& rows)
      : stacks_(stacks), rows_(rows), places_(stacks.size()) {}

  std::uint32_t of(std::uint32_t stack) {
    std::optional<std::uint32_t>& place = places_[stack];
    if (!place) place = rows_.place_of(stacks_[stack]);
    return *place;
  }

 private:
  const std::span<const std::vector<analysis::FrameId>> stacks_;
  StackRows& rows_;
  std::vector<std::optional<std::uint32_t>> places_;
};

}  // namespace perfsift::store
