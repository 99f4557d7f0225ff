#include "reader/writer/record_output.h"

namespace perfsift::reader {
namespace {

constexpr std::size_t worth_a_write = std::size_t{128} << 10;
constexpr std::size_t most_collected = std::size_t{512} << 10;

}  // namespace

void RecordOutput::take_piece() {
  if (piece_.size() >= worth_a_write) {
    write_collected();
    sink_.write(piece_);
  } else {
    if (collected_.size() + piece_.size() > most_collected) write_collected();
    collected_.insert(collected_.end(), piece_.begin(), piece_.end());
  }
  piece_ = {};
}

void RecordOutput::write_collected() {
  if (!collected_.empty()) sink_.write(collected_);
  collected_.clear();
}

void RecordOutput::flush() {
  take_piece();
  write_collected();
}

}  // namespace perfsift::reader
