#include "record/why_not_opened.h"

#include <cerrno>
#include <string>

#include <gmock/gmock.h>

#include "tests/support/temporary.h"

namespace perfsift::record {
namespace {

using reader::EventAttr;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class WhyNotOpened : public ::testing::Test {
 protected:
  WhyNotOpened() {
    folder_.write("sys/kernel/perf_event_paranoid", "2\n");
    folder_.write("sys/kernel/perf_event_max_stack", "127\n");
  }
  std::string why(const EventAttr& attr, const CounterPlace& place, int error) const {
    return why_not_opened("cycles", attr, place, error, folder_.path());
  }
  test::TemporaryDirectory folder_;
};

// sysctl/kernel.rst: level 1 disallows CPU events, level 2 disallows kernel profiling.
TEST_F(WhyNotOpened, ParanoidLevelIsNamedWithTheLevelThatWouldDo) {
  EventAttr attr;
  EXPECT_THAT(why(attr, {.tid = 1}, EACCES), AllOf(StartsWith("cycles: not permitted: kernel.perf_event_paranoid is 2"),
                                                   HasSubstr("kernel.perf_event_paranoid=1")));
  EXPECT_THAT(why(attr, {.cpu = 0}, EACCES), HasSubstr("kernel.perf_event_paranoid=0"));
  attr.type = reader::event_type::tracepoint;
  attr.sample_type = reader::sample_bit::raw;
  EXPECT_THAT(why(attr, {.tid = 1}, EPERM), HasSubstr("kernel.perf_event_paranoid=-1"));
}

TEST_F(WhyNotOpened, OtherUsersAndContainersAreNamedWhereTheLevelWouldPermitTheEvent) {
  EventAttr attr;
  attr.set(reader::attr_flag::exclude_kernel);
  EXPECT_THAT(why(attr, {.tid = 1}, EACCES), AllOf(HasSubstr("another user"), HasSubstr("container")));
}

TEST_F(WhyNotOpened, EachKindOfFailureNamesWhatIsMissing) {
  EventAttr attr;
  EXPECT_THAT(why(attr, {.tid = 1}, ENOENT), HasSubstr("virtual machine"));
  EXPECT_THAT(why(attr, {.tid = 1}, EOPNOTSUPP), HasSubstr("no interrupt"));
  EXPECT_THAT(why(attr, {.cpu = 7}, ENODEV), HasSubstr("CPU 7"));
  EXPECT_THAT(why(attr, {.tid = 1}, EMFILE), HasSubstr("ulimit -n"));
  EXPECT_THAT(why(attr, {.tid = 1}, EBUSY), HasSubstr("NMI watchdog"));
  EXPECT_THAT(why(attr, {.tid = 1}, EOVERFLOW), HasSubstr("127 frames"));
  EXPECT_THAT(why(attr, {.tid = 1}, ENOSYS), HasSubstr("does not offer perf_event_open()"));
  EXPECT_THAT(why(attr, {.tid = 5}, ESRCH), HasSubstr("thread 5 has ended"));
  attr.set_precise_ip(2);
  EXPECT_THAT(why(attr, {.tid = 1}, EOPNOTSUPP), HasSubstr("precise_ip 2"));
  attr.sample_type = reader::sample_bit::branch_stack;
  EXPECT_THAT(why(attr, {.tid = 1}, EOPNOTSUPP), HasSubstr("LBR"));
  attr.type = reader::event_type::breakpoint;
  EXPECT_THAT(why(attr, {.tid = 1}, ENOSPC), HasSubstr("breakpoint registers"));
}

}  // namespace
}  // namespace perfsift::record
