#include "filter/filter.h"

#include <gmock/gmock.h>

#include "tests/dlfilters/told_sample.h"

namespace perfsift::filter {
namespace {

ToldFacts worker() {
  return ToldFacts()
      .with(Fact::pid, 10)
      .with(Fact::tid, 11)
      .with(Fact::cpu, 3)
      .with(Fact::period, 4096)
      .with(Fact::ip, 0xffffffff81000010)
      .with(Fact::comm, "worker")
      .with(Fact::event, "cycles:u")
      .with(Fact::sym, "ns::work(char*)")
      .with(Fact::dso, "/usr/lib/libc.so.6");
}

TEST(Filter, WithoutAnExpressionKeepsEverything) {
  FilterState state{Filter()};
  ToldFacts sample;
  EXPECT_TRUE(Filter().keeps(sample, state));
}

TEST(Filter, ComparesNumbers) {
  EXPECT_TRUE(keeps("pid == 10", worker()));
  EXPECT_FALSE(keeps("pid == 11", worker()));
  EXPECT_TRUE(keeps("pid != 11", worker()));
  EXPECT_TRUE(keeps("pid < 11", worker()));
  EXPECT_FALSE(keeps("pid < 10", worker()));
  EXPECT_TRUE(keeps("pid <= 10", worker()));
  EXPECT_FALSE(keeps("pid > 10", worker()));
  EXPECT_TRUE(keeps("pid >= 10", worker()));
  EXPECT_TRUE(keeps("9 < pid", worker()));
  EXPECT_TRUE(keeps("pid < tid", worker()));
  EXPECT_FALSE(keeps("pid == tid", worker()));
}

TEST(Filter, ComparesAddressesOfTheKernelAsNumbersWithoutASign) {
  EXPECT_TRUE(keeps("ip > 0xffffffff80000000", worker()));
  EXPECT_TRUE(keeps("ip > 0", worker()));
  EXPECT_TRUE(keeps("ip > -1", worker()));
  EXPECT_TRUE(keeps("ip in 0xffffffff81000000..0xffffffffffffffff", worker()));
}

TEST(Filter, ReadsSetsAndRanges) {
  EXPECT_TRUE(keeps("cpu in {0, 2..4}", worker()));
  EXPECT_FALSE(keeps("cpu in {0, 4..8}", worker()));
  EXPECT_TRUE(keeps("cpu not in {0, 4..8}", worker()));
  EXPECT_TRUE(keeps("cpu in 0..3", worker()));
  EXPECT_TRUE(keeps("comm in {\"main\", \"work*\"}", worker()));
}

TEST(Filter, ComparesTextsAsGlobs) {
  EXPECT_TRUE(keeps("comm == \"worker\"", worker()));
  EXPECT_FALSE(keeps("comm == \"work\"", worker()));
  EXPECT_TRUE(keeps("comm == 'w?rk*'", worker()));
  EXPECT_TRUE(keeps("comm != \"main\"", worker()));
  EXPECT_TRUE(keeps("sym == 'ns::work(char\\*)'", worker()));
  EXPECT_FALSE(keeps("comm == 'w\\*'", worker()));
}

TEST(Filter, FindsABinaryByItsPathOrItsName) {
  EXPECT_TRUE(keeps("dso == \"libc.so.6\"", worker()));
  EXPECT_TRUE(keeps("dso == \"/usr/lib/libc.so.6\"", worker()));
  EXPECT_FALSE(keeps("dso == \"/lib/libc.so.6\"", worker()));
  EXPECT_TRUE(keeps("dso == \"libc*\"", worker()));
  EXPECT_FALSE(keeps("dso == \"[kl]ibc*\"", worker())) << "brackets are ordinary: [kernel.kallsyms]";
}

TEST(Filter, FindsAnEventWithOrWithoutItsModifiers) {
  EXPECT_TRUE(keeps("event == \"cycles\"", worker()));
  EXPECT_TRUE(keeps("event == \"cycles:u\"", worker()));
  EXPECT_FALSE(keeps("event == \"cycles:k\"", worker()));
}

TEST(Filter, SearchesWithRegularExpressions) {
  EXPECT_TRUE(keeps("sym =~ \"work\"", worker()));
  EXPECT_TRUE(keeps("sym =~ \"^ns::\\w+\\(\"", worker()));
  EXPECT_FALSE(keeps("sym =~ \"^work\"", worker()));
  EXPECT_TRUE(keeps("sym !~ \"^work\"", worker()));
}

TEST(Filter, JoinsWithTheUsualPrecedence) {
  EXPECT_TRUE(keeps("pid == 10 || pid == 1 && cpu == 9", worker()));
  EXPECT_FALSE(keeps("(pid == 10 || pid == 1) && cpu == 9", worker()));
  EXPECT_TRUE(keeps("not pid == 11 and !(cpu == 9 or cpu == 8)", worker()));
}

// The syntax of perf record --filter: a list of conditions, each of which may have alternatives.
TEST(Filter, ReadsACommaAsAnAndBelowAllOthers) {
  EXPECT_TRUE(keeps("period > 1000, ip > 0xffff", worker()));
  EXPECT_FALSE(keeps("pid == 10 || pid == 1, cpu == 9", worker()));
}

TEST(Filter, IsFalseAboutWhatWasNotRecorded) {
  EXPECT_FALSE(keeps("addr == 0", worker()));
  EXPECT_FALSE(keeps("addr != 0", worker()));
  EXPECT_FALSE(keeps("cgroup !~ \"x\"", worker()));
  EXPECT_FALSE(keeps("addr not in {1}", worker()));
  EXPECT_TRUE(keeps("!(addr == 0)", worker()));
  EXPECT_FALSE(keeps("has addr", worker()));
  EXPECT_TRUE(keeps("has period", worker()));
}

TEST(Filter, AsksTheCheapestFirstAndNoMoreThanNeeded) {
  const Filter filter = Filter::parse("sym =~ 'x' && comm == 'main' && pid == 11");
  FilterState state(filter);
  ToldFacts sample = worker();
  EXPECT_FALSE(filter.keeps(sample, state));
  EXPECT_THAT(sample.asked, ::testing::ElementsAre(::testing::Pair(Fact::pid, 1)));
}

}  // namespace
}  // namespace perfsift::filter
