// Recordings of AMD's IBS with registers as their only field. The expected results come from another recording of the
// same accesses, which has the fields that the kernel makes from the registers.

#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/support/ibs_recording.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::ibs_tests {  // a unity build compiles other tests in the same file
namespace {

using test::IbsMachine;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

class Ibs : public ::testing::Test {
 protected:
  Ibs() { directory_.write("symfs/opt/model", Bytes(test::ModelFile::image())); }

  std::string recording(const IbsMachine& machine, const std::string& name = "perf.data") {
    return directory_.write(
        name, Bytes(test::ibs_recording(machine, test::run_model(test::ModelFile::program(), 50),
                                        test::ModelFile::mappings("/opt/model", false), test::ModelFile::machine())));
  }
  Outcome run(std::string_view command, options::Arguments arguments, const std::string& file) {
    arguments.insert(arguments.end(), {"--symfs", directory_.path() / "symfs", file});
    return run_command(command, arguments);
  }
  std::string shown(std::string_view command, const options::Arguments& arguments, const std::string& file) {
    const Outcome outcome = run(command, arguments, file);
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.status, done);
    return outcome.out;
  }
  // The output for both recordings, which must be equal.
  std::string equally_shown(std::string_view command, const options::Arguments& arguments, IbsMachine machine = {}) {
    machine.fields = true;
    std::string expected = shown(command, arguments, recording(machine, "fields.data"));
    machine.fields = false;
    EXPECT_EQ(shown(command, arguments, recording(machine)), expected);
    return expected;
  }

  test::TemporaryDirectory directory_;
};

TEST_F(Ibs, RegistersAreAccesses) {
  for (const bool zen4 : {true, false}) {
    const IbsMachine machine{.zen4 = zen4};
    const Json json =
        Json::parse(equally_shown("mem", {"--json", "--sort", "mem,snoop,tlb,locked,symbol_daddr"}, machine));
    EXPECT_GT(json["counts"]["loads"], 500);
    EXPECT_GT(json["latency"]["samples"], 400);
    equally_shown("mem", {"--raw", "--csv"}, machine);
    equally_shown("c2c", {"--json"}, machine);
  }
}

TEST_F(Ibs, FiltersSeeRegisters) {
  EXPECT_THAT(equally_shown("script", {"-F", "comm,addr,data_src,weight,ins_lat,phys_addr", "--filter",
                                       "mem.lvl == remote_cache && weight > 300 && addr < 0x405000"}),
              HasSubstr("Remote"));
  EXPECT_THAT(equally_shown("mem", {"--raw", "--level", "l3", "--min-latency", "60"}), HasSubstr("L3 hit"));
}

// The lines of perf 6.1 script -D, and of perf 7.2.
TEST_F(Ibs, ScriptPrintsRegisters) {
  const test::IbsOpRegisters load{.control = 0x3abd94e0006186a,
                                  .instruction = 0x401010,
                                  .data = 0x40991e65,
                                  .data_2 = 0x302,
                                  .data_3 = 0xcbe801278d16a1c1,
                                  .linear = 0x404140,
                                  .physical = 0x3ff7f140};
  const std::string file = directory_.write(
      "one.data",
      Bytes(test::ibs_recording_of("AuthenticAMD,25,17,1", test::ibs_raw(IbsMachine{}.capabilities(), load))));
  const std::string about_memory =
      "\n\tibs_op_data3:\tcbe801278d16a1c1 LdOp 1 StOp 0 DcL1TlbMiss 0 DcL2TlbMiss 0 DcL1TlbHit2M 0 DcL1TlbHit1G 0 "
      "DcL2TlbHit2M 1 DcMiss 1 DcMisAcc 1 DcWcMemAcc 1 DcUcMemAcc 0 DcLockedOp 1 DcMissNoMabAlloc 0 DcLinAddrValid 1 "
      "DcPhyAddrValid 1 DcL2TlbHit1G 0 L2Miss 1 SwPf 0 OpMemWidth  8 bytes OpDcMissOpenMemReqs 35 DcMissLat   295 "
      "TlbRefillLat 52200\n\tIbsDCLinAd:\t0000000000404140\n\tIbsDCPhysAd:\t000000003ff7f140\n";
  const std::string shown_new = shown("script", {"-F", "ip,ibs"}, file);
  EXPECT_THAT(shown_new,
              StartsWith("           401000\n\tibs_op_ctl:\t03abd94e0006186a MaxCnt    100000 L3MissOnly 0 En 1 Val 1 "
                         "CntCtl 0=cycles CurCnt  61593934\n\tIbsOpRip:\t0000000000401010\n\tibs_op_data:\t"
                         "0000000040991e65 CompToRetCtr  7781 TagToRetCtr 16537 BrnRet 0  RipInvalid 0 BrnFuse 0 "
                         "Microcode 0\n\tibs_op_data2:\t0000000000000302 CacheHitSt 0=M-state RmtNode 0 DataSrc "
                         "2=Another CCX cache in the same NUMA node" +
                         about_memory));
  EXPECT_THAT(shown("script", {"-F", "ip,ibs", "--perf-style", "6.1"}, file),
              HasSubstr(" DataSrc 2=A peer cache in a near CCX" + about_memory));
  EXPECT_THAT(shown("script", {}, file), Not(HasSubstr("ibs_op_ctl")));
}

TEST_F(Ibs, OtherRecordingsHaveNoRegisters) {
  test::RecordingBuilder in;
  in.timed_event().sample_at(1).round();
  const std::string file = directory_.write("plain.data", Bytes(in.file()));
  EXPECT_THAT(run("script", {"-F", "+ibs"}, file).err,
              HasSubstr("no event has raw data of AMD's IBS; record ibs_op// with --raw-samples"));
}

// Raw data that is too short for registers gives no values, and is not an error.
TEST_F(Ibs, ShortRawData) {
  const std::vector<std::byte> raw(44);
  const std::string file = directory_.write("short.data", Bytes(test::ibs_recording_of("AuthenticAMD,25,17,1", raw)));
  EXPECT_THAT(shown("script", {"-F", "ip,ibs"}, file), Not(HasSubstr("ibs_")));
  EXPECT_THAT(run("mem", {}, file).err, HasSubstr("0 of 2 samples match"));
}

}  // namespace
}  // namespace perfsift::tools::ibs_tests
