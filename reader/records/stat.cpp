#include "reader/records/stat.h"

#include "reader/lists.h"

namespace perfsift::reader {

std::optional<StatConfig> decode_stat_config(const Record& record) {
  auto in = record.reader();
  StatConfig config;
  config.terms = read_list(in, in.u64(),
                           [](ByteReader& term) { return StatConfig::Term{.tag = term.u64(), .value = term.u64()}; });
  return in.ok() ? std::optional(std::move(config)) : std::nullopt;
}

std::optional<Stat> decode_stat(const Record& record) {
  auto in = record.reader();
  const Stat stat{
      .id = in.u64(),
      .cpu = in.i32(),
      .thread = in.i32(),
      .value = in.u64(),
      .time_enabled = in.u64(),
      .time_running = in.u64(),
  };
  return in.ok() ? std::optional(stat) : std::nullopt;
}

std::optional<StatRound> decode_stat_round(const Record& record) {
  auto in = record.reader();
  const StatRound round{.kind = static_cast<StatRound::Kind>(in.u64()), .time = in.u64()};
  return in.ok() ? std::optional(round) : std::nullopt;
}

}  // namespace perfsift::reader
