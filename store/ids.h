// The ids of a store: hashes of contents, which never change, because stores keep them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "analysis/samples/frame_table.h"
#include "base/sip_hash.h"

namespace perfsift::store {

// Ids are no secrets.
inline constexpr HashKey key_of_ids = {0x7065726673696674, 0x73746f7265207631};  // "perfsift", "store v1"

// For tables in memory: an id is a hash already.
struct HashOfId {
  std::size_t operator()(const Hash128& id) const { return id.low; }
};

// A function as a store has it.
struct StoredFunction {
  std::string_view name;
  analysis::FrameKind kind = analysis::FrameKind::other;
  bool inlined = false;
  bool unnamed = false;
  std::string_view marks;
  std::string_view binary;
  std::string_view build_id;  // hexadecimal
  std::string_view file;
  std::uint32_t line = 0;
};

Hash128 id_of(const StoredFunction& function);

// The id of a stack grows with its frames, root first. Stacks with common callers share their work.
class StackId {
 public:
  void add(const Hash128& function) {
    hash_.take(function.low);
    hash_.take(function.high);
  }
  Hash128 id() const {
    SipHash end = hash_;
    return end.finish();
  }

 private:
  SipHash hash_{key_of_ids};
};

// The words of kinds in a store. A word of a later version is `other`.
std::string_view word_of(analysis::FrameKind kind);
analysis::FrameKind kind_of(std::string_view word);

}  // namespace perfsift::store
