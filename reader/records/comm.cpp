#include "reader/records/comm.h"

namespace perfsift::reader {

std::optional<Comm> decode_comm(const Record& record) {
  auto in = record.reader();
  const Comm comm{
      .pid = in.i32(),
      .tid = in.i32(),
      .name = in.cstring(),
      .exec = (record.header.misc & misc::comm_exec) != 0,
  };
  return in.ok() ? std::optional(comm) : std::nullopt;
}

}  // namespace perfsift::reader
