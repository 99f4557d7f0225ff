// Wrong names of events: each message shows the place of the wrong part, and the name that was probably meant.
#include <string>

#include <gtest/gtest.h>

#include "base/error.h"
#include "record/events/event_parser.h"
#include "tests/record/events/machine_tree.h"

namespace perfsift::record {

namespace {

struct WrongName {
  const char* text;
  int character;
  const char* expected;  // in the message: what was meant, or what is wrong
};

void expect_refused(const test::MachineTree& tree, const WrongName& wrong) {
  try {
    parse_events(wrong.text, tree.sources());
    ADD_FAILURE() << wrong.text << " is accepted";
  } catch (const UsageError& error) {
    const std::string message = error.what();
    const std::string place = "character " + std::to_string(wrong.character) + ": ";
    EXPECT_NE(message.find(place), std::string::npos) << wrong.text << '\n' << message;
    EXPECT_NE(message.find(wrong.expected), std::string::npos) << wrong.text << '\n' << message;
  }
}

}  // namespace

TEST(WrongEventNames, OfSkylakeGiveTheNearest) {
  test::MachineTree tree("intel_skylake_sp");
  tree.add_tracepoint("sched", "sched_switch", 1);
  tree.add_tracepoint("sched", "sched_wakeup", 2);
  tree.add_tracepoint("block", "block_rq_issue", 3);
  tree.add_tracepoint("syscalls", "sys_enter_read", 4);
  constexpr WrongName wrong_names[] = {
      {"cycle", 1, "nearest: cycles"},
      {"cycels", 1, "nearest: cycles"},
      {"ccyles:u", 1, "cycles"},
      {"instruction", 1, "instructions"},
      {"instrutcions:k", 1, "instructions"},
      {"branch-mises", 1, "branch-misses"},
      {"brnches", 1, "branches"},
      {"cache-miss", 1, "cache-misses"},
      {"cache-referenses", 1, "cache-references"},
      {"bus-cycle", 1, "bus-cycles"},
      {"ref-cycle", 1, "ref-cycles"},
      {"stalled-cycles-front", 1, "stalled-cycles-frontend"},
      {"stalled-cycle-backend", 1, "stalled-cycles-backend"},
      {"cpuclock", 1, "cpu-clock"},
      {"cpu-clok", 1, "cpu-clock"},
      {"task_clock", 1, "task-clock"},
      {"pagefaults", 1, "page-faults"},
      {"page-fault", 1, "page-faults"},
      {"fault", 1, "faults"},
      {"context-switch", 1, "context-switches"},
      {"contextswitches", 1, "context-switches"},
      {"cpu-migration", 1, "cpu-migrations"},
      {"migration", 1, "migrations"},
      {"minor-fault", 1, "minor-faults"},
      {"mayor-faults", 1, "major-faults"},
      {"aligment-faults", 1, "alignment-faults"},
      {"emulation-fault", 1, "emulation-faults"},
      {"dumy", 1, "dummy"},
      {"bpf_output", 1, "bpf-output"},
      {"cgroup-switch", 1, "cgroup-switches"},
      {"L1-dcache-load-mis", 1, "L1-dcache-load-misses"},
      {"L1-dcache-lods", 1, "L1-dcache-loads"},
      {"L1-icache-stores", 1, "L1-icache-load"},
      {"LLC-load-msses", 1, "LLC-load-misses"},
      {"LLC-", 1, "LLC-loads"},
      {"dTLB-load-misess", 1, "dTLB-load-misses"},
      {"iTLB-stores", 1, "dTLB-stores"},
      {"node-loadz", 1, "node-loads"},
      {"LLC-loads-stores", 1, "LLC-loads"},
      {"mem-load", 1, "mem-loads"},
      {"mem-stors", 1, "mem-stores"},
      {"topdown-slots-retird", 1, "topdown-slots-retired"},
      {"cas_count_reads", 1, "cas_count_read"},
      {"energy-pkgs", 1, "energy-pkg"},
      {"tx-abrt", 1, "tx-abort"},
      {"rxyz", 1, "is no event"},
      {"r", 1, "is no event"},
      {"r11112222333344445", 1, "is no event"},
      {"cycles:x", 8, "'x' is no modifier"},
      {"cycles:ux", 9, "modifier"},
      {"cycles:uku", 8, "twice"},
      {"cycles:upppp", 8, "precision"},
      {"cycles:PP", 8, "twice"},
      {"{cycles,instructions}:q", 23, "'q' is no modifier"},
      {"{cycles:pp}:pp", 13, "precision"},
      {"cpu/umask=1/z", 13, "'z' is no modifier"},
      {"cpu/umask=1/:z", 14, "'z' is no modifier"},
      {"cpu/evnt=0xc0/", 5, "nearest: event"},
      {"cpu/event=0xc0,umsk=1/", 16, "nearest: umask, cmask"},
      {"cpu/event=0xzz/", 11, "'0xzz' is no number for event"},
      {"cpu/event=/", 11, "is no number for event"},
      {"cpu/event=0x1ff/", 11, "at most 255"},
      {"cpu/event/", 5, "needs a value of 8 bits"},
      {"cpu/edge=2/", 10, "at most 1"},
      {"cpu/ldlat=-3/", 11, "is no number for ldlat"},
      {"cpu/ldlat=99999999999999999999999/", 11, "is no number"},
      {"cpu/mem-loads,ldat=30/", 15, "ldlat"},
      {"cpu/mem-laods/", 5, "mem-loads"},
      {"cpu/cycels/", 5, "cycles"},
      {"cpu/page-faults/", 5, "is no term of PMU cpu"},
      {"cpu/umask=1,perod=100/", 13, "period"},
      {"cpu/umask=1,freq/", 13, "needs a value"},
      {"cpu/umask=1,freq=often/", 18, "is no number for freq"},
      {"cpu/umask=1,call-graph=frame/", 24, "fp, dwarf, lbr, no"},
      {"cpu/umask=1,call-graf=fp/", 13, "call-graph"},
      {"cpu/umask=1,time=2/", 18, "at most 1"},
      {"cpu/umask=1,max-stack=100000/", 23, "at most 65535"},
      {"cpu/umask=1,name=/", 13, "needs a value"},
      {"cpu/umask=1,name='x/", 18, "does not end"},
      {"cpu/umask=1", 12, "must end with '/'"},
      {"cpu/umask=1,/", 13, "must be"},
      {"cpu/,umask=1/", 5, "must be"},
      {"cpu/umask=1/u/", 14, "not expected"},
      {"cqu/umask=1/", 1, "cpu"},
      {"uncore_imx/clockticks/", 1, "uncore_imc"},
      {"uncore_imc/clocktiks/", 12, "clockticks"},
      {"intel_tp//", 1, "intel_pt"},
      {"cycles/perid=1/", 8, "period"},
      {"cycles:u/period=1/", 8, "before the terms"},
      {"sched:sched_swtch", 7, "sched_switch"},
      {"sched:wakeup", 7, "sched_wakeup"},
      {"shed:sched_switch", 1, "sched"},
      {"sched:sched_switch:x", 20, "'x' is no modifier"},
      {"sched:nothing*", 7, "is no tracepoint of sched"},
      {"sycalls:sys_enter_read", 1, "syscalls"},
      {"syscalls:sys_entr_read", 10, "sys_enter_read"},
      {"blok:block_rq_issue", 1, "block"},
      {"mem:0xzz", 5, "is no address"},
      {"mem:0x10/x", 10, "is no length"},
      {"mem:0x10:rr", 10, "twice"},
      {"mem:0x10:rw:x", 13, "'x' is no modifier"},
      {"mem:0x10:q", 10, "'q' is no modifier"},
      {"", 1, "must be"},
      {",", 1, "must be"},
      {"cycles,", 8, "must be"},
      {"cycles,,faults", 8, "must be"},
      {"{cycles", 8, "must end with '}'"},
      {"{}", 2, "must be"},
      {"{cycles,}", 9, "must be"},
      {"cycles}", 7, "not expected"},
      {"{{cycles}}", 2, "must be"},
      {"{cycles}}", 9, "not expected"},
      {"/umask=1/", 1, "must be"},
      {"cycles instructions", 1, "is no event"},
  };
  static_assert(std::size(wrong_names) >= 100);
  for (const WrongName& wrong : wrong_names) expect_refused(tree, wrong);
}

TEST(WrongEventNames, OfOtherMachinesGiveTheNearest) {
  const test::MachineTree hybrid("intel_alder_lake"), amd("amd_zen4"), arm("arm_neoverse_n1");
  expect_refused(hybrid, {"cpu_cor/cycles/", 1, "cpu_core"});
  expect_refused(hybrid, {"cpu_atom/slots/", 10, "is no term of PMU cpu_atom"});
  expect_refused(amd, {"ibs_ob//", 1, "ibs_op"});
  expect_refused(amd, {"ibs_op/cntctl=1/", 8, "cnt_ctl"});
  expect_refused(amd, {"ibs_op/cnt_ctl=2/", 16, "at most 1"});
  expect_refused(amd, {"amd_l3/coreid=9/", 15, "at most 7"});
  expect_refused(arm, {"arm_spe_0/ts_enabled=1/", 11, "ts_enable"});
  expect_refused(arm, {"arm_spe_1//", 1, "arm_spe_0"});
  expect_refused(arm, {"l1d_cahce", 1, "l1d_cache"});
  expect_refused(arm, {"arm_cmn/hnf_cache_mis/", 9, "hnf_cache_miss"});
}

}  // namespace perfsift::record
