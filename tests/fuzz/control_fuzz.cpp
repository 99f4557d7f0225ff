// Bytes that arrive at perfsift record --control: the first byte is the most bytes that arrive at once.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "tools/record/control.h"

using namespace perfsift;

namespace {

// Two pipes of a recorder. A pipe holds 64 KiB, more than the inputs have.
struct Pipes {
  Pipes() {
    if (pipe(commands) != 0 || pipe(acks) != 0) __builtin_trap();
  }
  ~Pipes() {
    for (const int fd : {commands[0], commands[1], acks[0], acks[1]}) close(fd);
  }
  int commands[2] = {}, acks[2] = {};
};

bool has_long_line(std::string_view text) {
  constexpr std::size_t surely_taken = 2048;
  for (; text.size() > surely_taken; text.remove_prefix(text.find('\n') + 1)) {
    if (text.find('\n') > surely_taken) return true;
  }
  return false;
}

}  // namespace

// Each line is a command, and each command has one answer.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t at_once = std::max<std::size_t>(data[0], 1);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Pipes pipes;
  tools::Control control(fmt::format("fd:{},{}", pipes.commands[0], pipes.acks[1]));
  std::size_t commands = 0;
  for (std::size_t sent = 0; sent < text.size(); sent += at_once) {
    const std::string_view part = text.substr(sent, at_once);
    if (write(pipes.commands[1], part.data(), part.size()) != static_cast<ssize_t>(part.size())) __builtin_trap();
    while (control.next()) control.acknowledge(), ++commands;
  }
  if (!has_long_line(text) && commands != static_cast<std::size_t>(std::ranges::count(text, '\n'))) __builtin_trap();
  for (std::size_t answers = 0; answers < commands; ++answers) {
    std::array<char, 4> answer{};
    if (read(pipes.acks[0], answer.data(), answer.size()) != 4 || std::string_view(answer.data(), 4) != "ack\n")
      __builtin_trap();
  }
  return 0;
}
