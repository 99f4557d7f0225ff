// Each property of the catalogue has a value, unless its row gives the reason why not.
#include <gtest/gtest.h>

#include "analysis/samples/number_text.h"
#include "analysis/samples/sample_values.h"
#include "analysis/table/key.h"
#include "facts/recorded_number.h"
#include "filter/field.h"
#include "reader/format/event.h"

namespace perfsift::analysis {
namespace {

using facts::recorded_number;
using filter::Fact;
using filter::Number;

// A sample with all recorded fields.
class WholeSample {
 public:
  WholeSample() {
    event_.attr.sample_type = ~std::uint64_t{0};
    sample_.event = &event_;
    sample_.id = 5;
    sample_.cpu = 1;
    sample_.addr = sample_.phys_addr = 0x7000;
    sample_.data_src = 1;
    sample_.raw = raw_;
  }
  const reader::Sample& get() const { return sample_; }

 private:
  std::byte raw_[4]{};
  reader::Event event_;
  reader::Sample sample_;
};

TEST(Catalogue, EachRecordedNumberHasAValue) {
  const WholeSample sample;
  for (const filter::Field& field : filter::fields()) {
    if (!filter::is_recorded(field.fact)) continue;
    EXPECT_TRUE(recorded_number(sample.get(), field.fact)) << field.name;
  }
}

TEST(Catalogue, NothingThatWasNotRecordedHasAValue) {
  reader::Event event;
  event.attr.sample_type = 0;
  event.attr.flags = 1 << 10;  // freq: the period is unknown
  reader::Sample sample;
  sample.event = &event;
  for (const filter::Field& field : filter::fields()) {
    if (field.fact == Fact::misc || !filter::is_recorded(field.fact)) continue;
    EXPECT_FALSE(recorded_number(sample, field.fact)) << field.name;
  }
}

TEST(Catalogue, ASocketIsThatOfTheCpu) {
  reader::Features features;
  features.cpu_topology.emplace();
  features.cpu_topology->cpus.resize(2);
  features.cpu_topology->cpus[1].socket = 7;
  SampleValues values(features);
  EXPECT_EQ(values.number(WholeSample().get(), Fact::socket), Number::of(7));
  EXPECT_EQ(SampleValues(reader::Features()).number(WholeSample().get(), Fact::socket), std::nullopt);
}

TEST(Catalogue, SortKeysHaveNamesOfTheirOwn) {
  for (const RowsOf rows : {RowsOf::samples, RowsOf::accesses}) {
    for (const Key key : keys_of(rows)) EXPECT_EQ(find_key(rows, name_of(key)), key) << name_of(key);
  }
  EXPECT_EQ(number_behind(*find_key(RowsOf::samples, "local_weight")), Fact::weight);
  EXPECT_EQ(find_key(RowsOf::samples, "weight"), std::nullopt);
}

TEST(Catalogue, SortKeysHaveOtherNamesInPerf) {
  EXPECT_EQ(find_key(RowsOf::samples, "sym"), Key::symbol);
  EXPECT_EQ(find_key(RowsOf::accesses, "weight"), key_of(Fact::weight));
  EXPECT_EQ(find_key(RowsOf::accesses, "addr"), Key::daddr);
  EXPECT_EQ(find_key(RowsOf::samples, "addr"), key_of(Fact::ip));
}

TEST(Catalogue, EachTableHasKeysOfItsOwn) {
  EXPECT_EQ(find_key(RowsOf::samples, "dcacheline"), std::nullopt);
  EXPECT_EQ(find_key(RowsOf::accesses, "time"), std::nullopt);
  EXPECT_EQ(find_key(RowsOf::accesses, "socket"), std::nullopt);
  EXPECT_EQ(find_key(RowsOf::accesses, "transaction"), key_of(Fact::txn));
}

TEST(Catalogue, FormsOfNumbersAreThoseOfPerfReport) {
  using enum filter::NumberForm;
  EXPECT_EQ(number_text(decimal, Number::of_signed(-1)), "-1");
  EXPECT_EQ(number_text(hexadecimal, Number::of(0x401000)), "0x401000");
  EXPECT_EQ(number_text(page_size, Number::of(4096)), "4K");
  EXPECT_EQ(number_text(transaction, Number::of(0x2a00000016)), "TX SYNC RETRY :2a");
}

}  // namespace
}  // namespace perfsift::analysis
