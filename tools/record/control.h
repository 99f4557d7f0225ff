// --control: commands to a recorder that runs, by a pipe or a descriptor, in the language of perf record:
//
//   enable  disable  ping  snapshot  stop          a line each; every command is answered by "ack\n" where asked for
//
// evlist__parse_control() and evlist__ctlfd_process() in tools/perf/util/evlist.c.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/owned.h"

namespace perfsift::tools {

// Not thread-safe.
class Control {
 public:
  enum class Command : std::uint8_t { enable, disable, ping, snapshot, stop, unknown };

  // "fifo:COMMANDS[,ACKS]" or "fd:N[,M]". Throws UsageError for other texts, and Error if a pipe cannot be opened.
  explicit Control(const std::string& text);

  // The next command that has arrived. Nothing: no whole line has. Does not wait.
  std::optional<Command> next();
  // Says that the last command was carried out.
  void acknowledge();
  // Becomes readable when something arrives.
  int fd() const { return commands_; }

 private:
  bool take_line(std::string& line);
  void open_pipes(const std::string& commands, const std::string& acks);

  FileDescriptor opened_commands_, opened_acks_;  // of pipes
  int commands_ = -1, acks_ = -1;
  std::string waiting_;  // bytes of a line that has not ended
};

}  // namespace perfsift::tools
