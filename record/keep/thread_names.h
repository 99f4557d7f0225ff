// The names of threads while they are recorded, from COMM and FORK records as they come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "reader/format/record.h"

namespace perfsift::record {

// Records of several rings come out of order: a thread has its newest name and the name before. Texts keep their
// addresses, because filters remember their answers by addresses, until forget_unused(). Not thread-safe.
class ThreadNames {
 public:
  // Takes COMM, FORK and EXIT; ignores all other types. `time`: of the record, no_time where it has none.
  void take(const reader::Record& record, std::uint64_t time);

  // The thread's name at the time, as perf prints it: "swapper" for thread 0, ":1234" for a thread without a name.
  std::string_view at(std::int32_t tid, std::uint64_t time);

  std::size_t texts() const { return texts_.size(); }
  // Drops ended threads and the texts that no thread has. All texts get new addresses.
  void forget_unused();

 private:
  struct Name {
    std::string_view now, before;
    std::uint64_t since = 0;  // of `now`
    bool ended = false;
  };

  void set(std::int32_t tid, std::string_view name, std::uint64_t time);
  std::string_view kept(std::string_view text) { return *texts_.emplace(text).first; }

  std::unordered_map<std::int32_t, Name> names_;
  std::unordered_set<std::string> texts_;
};

}  // namespace perfsift::record
