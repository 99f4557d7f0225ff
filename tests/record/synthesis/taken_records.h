// Collects and reads synthesised records.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "reader/format/record.h"
#include "reader/records/mmap.h"
#include "record/synthesis/synthesis.h"

namespace perfsift::record {

// The records in `bytes`. They live as long as `bytes`.
inline std::vector<reader::Record> records_in(const std::vector<std::byte>& bytes) {
  std::vector<reader::Record> records;
  for (ByteReader in(bytes); in.remaining() != 0;) {
    reader::Record record;
    record.header.type = static_cast<reader::RecordType>(in.u32());
    record.header.misc = in.u16();
    record.header.size = in.u16();
    record.payload = in.bytes(record.header.size - reader::record_header_size);
    EXPECT_TRUE(in.ok());
    EXPECT_EQ(record.header.size % 8, 0);
    if (!in.ok()) break;
    records.push_back(record);
  }
  return records;
}

struct Taken {
  std::vector<std::byte> bytes;
  SynthesisCounts counts;

  std::vector<reader::Record> records() const { return records_in(bytes); }
  std::vector<reader::RecordType> types() const {
    std::vector<reader::RecordType> types;
    for (const auto& record : records()) types.push_back(record.header.type);
    return types;
  }
  std::vector<reader::Mmap> mappings() const {
    std::vector<reader::Mmap> mappings;
    for (const auto& record : records()) {
      if (record.header.type == reader::RecordType::mmap2) mappings.push_back(decode_mmap2(record).value());
    }
    return mappings;
  }
};

inline Taken synthesised(const SynthesisPlan& plan) {
  Taken taken;
  taken.counts =
      synthesise(plan, [&](Bytes records) { taken.bytes.insert(taken.bytes.end(), records.begin(), records.end()); });
  return taken;
}

}  // namespace perfsift::record
