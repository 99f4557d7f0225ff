// The object that a filter's `context` points to, and the functions that perf offers to filters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dlfilters/abi.h"
#include "dlfilters/host/answers.h"

namespace perfsift::dlfilter {

// The functions of the table, in its order.
enum class Function : std::uint8_t {
  resolve_ip,
  resolve_addr,
  args,
  resolve_address,
  insn,
  srcline,
  attr,
  object_code,
  al_cleanup,
};
inline constexpr std::size_t function_count = 9;
const char* name_of(Function function);

// How a filter used the functions, for its author.
struct Usage {
  std::array<std::uint64_t, function_count> calls{};
  std::array<std::uint64_t, function_count> out_of_place{};   // in start() or stop(), where there is no answer
  std::array<std::uint64_t, function_count> null_pointers{};  // for what must be given
  std::uint64_t odd_sizes = 0;                                // locations whose size is that of no version
  std::uint64_t cleanable = 0;                                // locations that want al_cleanup()
  std::uint64_t cleaned = 0;
};

// There is one for each filter, at the same address for the whole run. Not thread-safe, as in perf.
class Context {
 public:
  enum class Stage : std::uint8_t { outside, starting, filtering, stopping };

  explicit Context(std::vector<std::string> arguments);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Sets the stage of calls until the next enter(). `answers`: for Stage::filtering.
  void enter(Stage stage, Answers* answers = nullptr) {
    stage_ = stage;
    answers_ = answers;
  }
  void leave() { stage_ = Stage::outside; }

  const Usage& usage() const { return usage_; }

  // The table perf of that version fills in.
  static Functions functions(ApiVersion api);

 private:
  struct Table;  // the functions themselves

  // Only a living Context has this value in its first word.
  static constexpr std::uint64_t mark = 0x7065726673696674;

  std::uint64_t mark_ = mark;
  Stage stage_ = Stage::outside;
  Answers* answers_ = nullptr;
  std::vector<std::string> arguments_;
  std::vector<char*> argv_;  // empty without arguments: perf has no array then
  Usage usage_;
};

}  // namespace perfsift::dlfilter
