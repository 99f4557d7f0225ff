#include "reader/ibs/ibs_registers.h"

namespace perfsift::reader {
namespace {

std::optional<std::uint64_t> take_announced(ByteReader& in, bool announced) {
  if (!announced || in.remaining() < sizeof(std::uint64_t)) return std::nullopt;
  return in.u64();
}

}  // namespace

std::optional<IbsOp> decode_ibs_op(Bytes raw, ByteOrder order) {
  ByteReader in(raw, order);
  IbsOp op{.capabilities = IbsCapabilities(in.u32()),
           .control = IbsOpControl(in.u64()),
           .instruction = in.u64(),
           .data = IbsOpData(in.u64()),
           .source = IbsOpData2(in.u64()),
           .access = IbsOpData3(in.u64()),
           .linear_address = in.u64(),
           .physical_address = in.u64(),
           .branch_target = {},
           .data_4 = {}};
  if (!in.ok()) return std::nullopt;
  op.branch_target = take_announced(in, op.capabilities.branch_target());
  op.data_4 = take_announced(in, op.capabilities.op_data_4());
  return op;
}

std::optional<IbsFetch> decode_ibs_fetch(Bytes raw, ByteOrder order) {
  ByteReader in(raw, order);
  IbsFetch fetch{.capabilities = IbsCapabilities(in.u32()),
                 .control = IbsFetchControl(in.u64()),
                 .linear_address = in.u64(),
                 .physical_address = in.u64(),
                 .extension = {}};
  if (!in.ok()) return std::nullopt;
  fetch.extension = take_announced(in, fetch.capabilities.fetch_extension());
  return fetch;
}

}  // namespace perfsift::reader
