#include "tools/record/control.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/number_in.h"

namespace perfsift::tools {
namespace {

using ControlCommand = Control::Command;

constexpr std::size_t longest_line = 4096;  // bytes; longer lines are no commands

// perf takes commands with a prefix and arguments, such as "snapshot" and "enable EVENT".
ControlCommand command_in(std::string_view line) {
  constexpr std::array<std::pair<std::string_view, ControlCommand>, 5> commands{{{"enable", ControlCommand::enable},
                                                                                 {"disable", ControlCommand::disable},
                                                                                 {"ping", ControlCommand::ping},
                                                                                 {"snapshot", ControlCommand::snapshot},
                                                                                 {"stop", ControlCommand::stop}}};
  const auto found = std::ranges::find(commands, line, &std::pair<std::string_view, ControlCommand>::first);
  return found != commands.end() ? found->second : ControlCommand::unknown;
}

int descriptor_in(std::string_view text, const std::string& all) {
  const int fd = number_in<int>(text).value_or(-1);
  if (fcntl(fd, F_GETFD) == -1) throw UsageError(fmt::format("--control {}: '{}' is no open descriptor", all, text));
  return fd;
}

FileDescriptor open_pipe(const std::string& path) {
  // Open for both, so that the pipe has no end when the first writer of a command closes it.
  FileDescriptor pipe(open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!pipe || fstat(pipe.get(), &status) != 0)
    throw Error(fmt::format("--control: {}: {}", path, std::strerror(errno)));
  if (!S_ISFIFO(status.st_mode))
    throw UsageError(fmt::format("--control: {} is no named pipe (mkfifo makes one)", path));
  return pipe;
}

bool is_readable(int fd) {
  pollfd waiting{.fd = fd, .events = POLLIN, .revents = 0};
  return poll(&waiting, 1, 0) == 1 && (waiting.revents & POLLIN) != 0;
}

}  // namespace

Control::Control(const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::size_t comma = std::min(text.find(',', colon), text.size());
  const std::string kind = text.substr(0, colon);
  if ((kind != "fifo" && kind != "fd") || comma <= colon + 1)
    throw UsageError("--control " + text + ": fifo:COMMANDS[,ACKS] or fd:N[,M] is needed");
  const std::string commands = text.substr(colon + 1, comma - colon - 1);
  const std::string acks = comma < text.size() ? text.substr(comma + 1) : "";
  if (kind == "fifo") {
    open_pipes(commands, acks);
  } else {
    commands_ = descriptor_in(commands, text);
    if (!acks.empty()) acks_ = descriptor_in(acks, text);
  }
}

void Control::open_pipes(const std::string& commands, const std::string& acks) {
  opened_commands_ = open_pipe(commands);
  commands_ = opened_commands_.get();
  if (acks.empty()) return;
  opened_acks_ = open_pipe(acks);
  acks_ = opened_acks_.get();
}

bool Control::take_line(std::string& line) {
  const std::size_t end = waiting_.find('\n');
  if (end == std::string::npos) return false;
  line = waiting_.substr(0, end);
  waiting_.erase(0, end + 1);
  while (line.ends_with('\0') || line.ends_with(' ')) line.pop_back();
  return true;
}

std::optional<ControlCommand> Control::next() {
  std::string line;
  if (take_line(line)) return command_in(line);
  while (is_readable(commands_)) {
    std::array<char, 256> bytes{};
    const ssize_t got = read(commands_, bytes.data(), bytes.size());
    if (got <= 0) return std::nullopt;
    waiting_.append(bytes.data(), static_cast<std::size_t>(got));
    if (take_line(line)) return command_in(line);
    if (waiting_.size() > longest_line) waiting_.clear();
  }
  return std::nullopt;
}

// An answer that nobody reads must not stop the recorder, so it is dropped where it finds no room.
void Control::acknowledge() {
  constexpr std::string_view answer = "ack\n";
  pollfd room{.fd = acks_, .events = POLLOUT, .revents = 0};
  if (acks_ < 0 || poll(&room, 1, 0) != 1 || (room.revents & POLLOUT) == 0) return;
  if (write(acks_, answer.data(), answer.size()) < 0) errno = 0;
}

}  // namespace perfsift::tools
