// perfsift mem from the command line to its output, on recordings of a simulated machine.

#include <algorithm>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/support/memory_recording.h"
#include "tests/support/recording_builder.h"
#include "tests/support/spe_recording.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::mem_tests {  // a unity build compiles other tests in the same file
namespace {

using test::MemoryPmu;
using test::ModelAccess;
using test::ModelLevel;
using test::ModelSnoop;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;
namespace bit = reader::sample_bit;
using namespace std::string_literals;

constexpr unsigned rounds = 200;

class Mem : public ::testing::Test {
 protected:
  Mem() { directory_.write("symfs/opt/model", Bytes(test::ModelFile::image())); }

  std::string recording(MemoryPmu pmu) {
    return directory_.write("perf.data",
                            Bytes(test::memory_recording(pmu, accesses_, test::ModelFile::mappings("/opt/model", false),
                                                         test::ModelFile::machine())));
  }
  Outcome run(options::Arguments arguments, const std::string& file) {
    arguments.insert(arguments.end(), {"--symfs", directory_.path() / "symfs", file});
    return run_command("mem", arguments);
  }
  std::string shown(const options::Arguments& arguments, MemoryPmu pmu = MemoryPmu::intel) {
    const Outcome outcome = run(arguments, recording(pmu));
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.status, done);
    return outcome.out;
  }
  // The rows of one table: samples by the texts of the keys.
  std::map<std::string, std::uint64_t> samples_by(const std::string& keys, MemoryPmu pmu = MemoryPmu::intel,
                                                  options::Arguments more = {}) {
    more.insert(more.end(), {"--json", "--sort", keys});
    const Json json = Json::parse(shown(more, pmu));
    std::map<std::string, std::uint64_t> rows;
    for (const Json& row : json["tables"][0]["rows"]) {
      std::string name;
      for (const Json& key : json["tables"][0]["keys"]) {
        name += (name.empty() ? "" : ",") + row[key.get<std::string>()].get<std::string>();
      }
      rows[name] = row["samples"];
    }
    return rows;
  }
  std::uint64_t count(const std::function<bool(const ModelAccess&)>& is) const {
    return static_cast<std::uint64_t>(std::ranges::count_if(accesses_, is));
  }
  static bool is_load_of(const ModelAccess& access, ModelLevel level) { return !access.store && access.level == level; }

  test::TemporaryDirectory directory_;
  const std::vector<ModelAccess> accesses_ = test::run_model(test::ModelFile::program(), rounds);
};

// The words are from perf_mem__lvl_scnprintf().
TEST_F(Mem, SaysThatATraceWasCut) {
  const test::SpeMachine machine;
  test::RecordingBuilder in = spe_machine(machine);
  test::SpePacketWriter whole, cut;
  for (test::SpePacketWriter* load : {&whole, &cut}) {
    load->address(0, 0x1000).address(2, 0x2000).operation(1, 0).events(0x6, 2).timestamp(1'000'000);
  }
  add_spe_piece(in, machine, 0, whole.view());
  add_spe_piece(in, machine, 1, cut.view().first(20));
  const Outcome outcome = run_command("mem", {directory_.write("spe.data", in.file())});
  EXPECT_EQ(outcome.status, done);
  EXPECT_THAT(outcome.err, HasSubstr("spe.data: the trace was cut 1 time, where its buffer was full"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("periods of their own")));  // the event of the trace has no samples itself
}

TEST_F(Mem, LevelsAreThoseOfTheModel) {
  const auto loads = [&](ModelLevel level) {
    return count([&](const ModelAccess& access) { return is_load_of(access, level); });
  };
  const auto rows = samples_by("op,mem");
  EXPECT_EQ(rows.at("LOAD,L1 hit"), loads(ModelLevel::l1));
  EXPECT_EQ(rows.at("LOAD,L3 hit"), loads(ModelLevel::l3));
  EXPECT_EQ(rows.at("LOAD,RAM hit"), loads(ModelLevel::local_ram));
  EXPECT_EQ(rows.at("LOAD,Remote L3 hit"), loads(ModelLevel::remote_cache));
  EXPECT_EQ(rows.at("LOAD,Remote RAM hit"), loads(ModelLevel::remote_ram));
  EXPECT_EQ(rows.at("STORE,L1 miss"),
            count([](const ModelAccess& access) { return access.store && access.level != ModelLevel::l1; }));
}

// AMD writes mem_lvl only. perf has other words for its bits.
TEST_F(Mem, LevelsWithoutNumbers) {
  const auto rows = samples_by("op,mem", MemoryPmu::amd);
  EXPECT_EQ(rows.at("LOAD,Local RAM hit"),
            count([](const ModelAccess& access) { return is_load_of(access, ModelLevel::local_ram); }));
  EXPECT_EQ(rows.at("LOAD,Remote Cache (1 hop) hit"),
            count([](const ModelAccess& access) { return is_load_of(access, ModelLevel::remote_cache); }));
  EXPECT_EQ(rows.at("STORE,N/A"), count([](const ModelAccess& access) { return access.store; }));
}

TEST_F(Mem, EveryEncodingGivesTheSameCategories) {
  const auto counts = [&](MemoryPmu pmu) { return Json::parse(shown({"--json"}, pmu))["counts"]; };
  const Json with_bits = counts(MemoryPmu::intel);
  EXPECT_EQ(counts(MemoryPmu::numbers_only), with_bits);
  EXPECT_EQ(counts(MemoryPmu::hybrid), with_bits);
  EXPECT_EQ(with_bits["remote_hitm"], count([](const ModelAccess& access) {
              return is_load_of(access, ModelLevel::remote_cache) && access.snoop == ModelSnoop::hitm;
            }));
  EXPECT_EQ(with_bits["local_hitm"], count([](const ModelAccess& access) {
              return is_load_of(access, ModelLevel::l3) && access.snoop == ModelSnoop::hitm;
            }));
  EXPECT_EQ(with_bits["locked"], count([](const ModelAccess& access) { return access.locked; }));
  EXPECT_EQ(with_bits["unknown_value"], 0);
}

TEST_F(Mem, VariablesHaveNamesAlsoBehindTheFile) {
  const auto rows = samples_by("variable,kind,dso_daddr");
  EXPECT_EQ(rows.at("table,file,model"), rounds * test::MemoryModel::threads);
  EXPECT_EQ(rows.at("counters,file,model"), count([](const ModelAccess& access) {
              return access.address >= test::ModelFile::counters && access.address < test::ModelFile::total;
            }));
  EXPECT_EQ(rows.size(), 6u);
  EXPECT_EQ(samples_by("symbol,symbol_daddr").at("update,counters+0x18"),
            count([](const ModelAccess& access) { return access.address == test::ModelFile::counters + 0x18; }));
}

TEST_F(Mem, FiltersKnowVariablesBehindTheFile) {
  const std::uint64_t all = rounds * test::MemoryModel::threads;
  for (const char* expression : {R"(addr_sym == "table")", R"(addr_sym == "table" && addr_dso =~ "model$")"}) {
    EXPECT_EQ(samples_by("variable", MemoryPmu::intel, {"--filter", expression}), (std::map{std::pair("table"s, all)}));
  }
  EXPECT_EQ(samples_by("variable", MemoryPmu::intel, {"--filter", R"(addr_sym == "counters")"}).size(), 1u);
}

// The kernel calls the first memory of brk() "//anon".
TEST_F(Mem, MemoryAboveTheProgramIsHeap) {
  constexpr std::uint64_t gigabyte = 1 << 30, end = test::ModelFile::table + test::ModelFile::table_size;
  constexpr std::uint32_t read_write = 3;
  const std::uint64_t heap = end + 0x7000, far = end + 2 * gigabyte;
  std::vector<test::ModelMapping> mappings = test::ModelFile::mappings("/opt/model", false);
  for (const std::uint64_t start : {heap, far}) {
    mappings.push_back({.start = start, .size = 0x21000, .protection = read_write, .path = "//anon"});
  }
  const std::vector<ModelAccess> accesses = {{.ip = test::ModelFile::text, .address = heap + 8},
                                             {.ip = test::ModelFile::text, .address = far + 8}};
  const std::string file = directory_.write(
      "heap.data", Bytes(test::memory_recording(MemoryPmu::intel, accesses, mappings, test::ModelFile::machine())));
  EXPECT_THAT(run({"--csv", "--sort", "kind,variable"}, file).out,
              AllOf(HasSubstr("heap,[heap]"), HasSubstr("anonymous,[anonymous]")));
}

TEST_F(Mem, SectionsRangesAndInstructions) {
  const std::uint64_t of_table = rounds * test::MemoryModel::threads;
  const auto sections = samples_by("variable,section,range");
  EXPECT_EQ(sections.at("table,.bss,0x405000-0x505000"), of_table);
  EXPECT_EQ(sections.at("counters,.data,0x404000-0x405000"),
            samples_by("variable,kind,dso_daddr").at("counters,file,model"));
  EXPECT_EQ(samples_by("symbol_iaddr").at("lookup+0x10"),
            count([](const ModelAccess& access) { return access.ip == test::ModelFile::program().lookup; }));
  EXPECT_EQ(samples_by("data_page_size").at("4K"), accesses_.size());
  EXPECT_EQ(samples_by("code_page_size,cgroup").at("2M,[unknown]"),
            count([](const ModelAccess& access) { return access.thread < 2; }));
  EXPECT_EQ(samples_by("p_stage_cyc").at("2"), accesses_.size());
}

TEST_F(Mem, KeysOfPerfThatAreNotOffered) {
  const Outcome refused = run({"--sort", "typeoff"}, recording(MemoryPmu::intel));
  EXPECT_EQ(refused.status, wrong_usage);
  EXPECT_THAT(refused.err, HasSubstr("--sort typeoff: member and field show"));
}

TEST_F(Mem, NodesOfPagesAndCpus) {
  const std::uint64_t middle = test::ModelFile::table + test::ModelFile::table_size / 2;
  const auto rows = samples_by("node,cpu_node");
  for (const unsigned data : {0u, 1u}) {
    for (const unsigned cpu : {0u, 1u}) {
      EXPECT_EQ(rows.at(std::to_string(data) + "," + std::to_string(cpu)), count([&](const ModelAccess& access) {
                  return (access.address < middle ? 0u : 1u) == data &&
                         test::MemoryModel::node_of_core(access.thread) == cpu;
                }));
    }
  }
  EXPECT_EQ(samples_by("node", MemoryPmu::intel, {"--node", "1"}).size(), 1u);
}

TEST_F(Mem, LatenciesAndWeight) {
  const Json json = Json::parse(shown({"--json", "--sort", "op"}));
  std::uint64_t weight = 0;
  std::vector<unsigned> latencies;
  for (const ModelAccess& access : accesses_) {
    weight += std::max(access.latency, 1u);  // hist_iter__mem of perf
    if (access.latency != 0) latencies.push_back(access.latency);
  }
  EXPECT_EQ(json["weight"], weight);
  EXPECT_EQ(json["latency"]["samples"], latencies.size());
  EXPECT_EQ(json["latency"]["max"], std::ranges::max(latencies));
  std::ranges::sort(latencies);
  const double median = latencies[(latencies.size() + 1) / 2 - 1];
  EXPECT_NEAR(json["latency"]["p50"].get<double>(), median, median / 100);
  EXPECT_EQ(json["tables"][0]["rows"][1]["latency"], nullptr);  // stores
}

TEST_F(Mem, SelectionByLatencyAndLevel) {
  const auto slow = [](const ModelAccess& access) { return access.latency >= 300; };
  const auto rows = samples_by("op", MemoryPmu::intel, {"--min-latency", "300"});
  EXPECT_EQ(rows.at("LOAD"), count(slow));
  EXPECT_EQ(samples_by("op", MemoryPmu::numbers_only, {"--level", "remote_cache"}).at("LOAD"),
            count([](const ModelAccess& access) { return is_load_of(access, ModelLevel::remote_cache); }));
}

TEST_F(Mem, ResultDoesNotDependOnThreads) {
  for (const char* form : {"--json", "--csv", "--histogram"}) {
    EXPECT_EQ(shown({form, "-j", "1"}), shown({form, "-j", "3"})) << form;
  }
}

TEST_F(Mem, OverviewTellsWhatTheFiguresLeaveOut) {
  EXPECT_THAT(shown({}), AllOf(HasSubstr("ldlat=30/P does not sample loads that took less than 30 cycles"),
                               HasSubstr("2 events have periods of their own"), HasSubstr("PEBS"),
                               HasSubstr("Remote L3 hit"), HasSubstr("counters  model")));
  EXPECT_THAT(shown({}), Not(HasSubstr("skid")));
  EXPECT_THAT(shown({}, MemoryPmu::amd), AllOf(HasSubstr("IBS"), Not(HasSubstr("ldlat"))));
  EXPECT_THAT(shown({}, MemoryPmu::hybrid),
              HasSubstr("cpu_core/mem-loads-aux/ is left out, as its samples repeat those of the loads"));
}

TEST_F(Mem, NotesTellSkidAndFrequency) {
  constexpr std::uint64_t frequency = 1 << 10;
  const auto notes = [&](std::uint64_t flags) {
    test::RecordingBuilder in;
    in.event({.type = reader::event_type::raw,
              .config = 0x1cd,
              .sample_period = 4000,
              .sample_type = bit::ip | bit::tid | bit::addr | bit::data_src,
              .flags = flags});
    test::BytesBuilder processor;
    in.feature(reader::Feature::cpu_id, processor.header_string("GenuineIntel,6,85,7"));
    in.record(reader::RecordType::sample, in.bytes().u64(0x401000).u32(7).u32(8).u64(0x1000).u64(2), test::user_mode);
    return run({}, directory_.write("skid.data", Bytes(in.file()))).out;
  };
  EXPECT_THAT(notes(frequency), AllOf(HasSubstr("(skid)"), HasSubstr("has a frequency, not a period")));
  EXPECT_THAT(notes(1 << 15), AllOf(HasSubstr("the instruction behind the access"), Not(HasSubstr("frequency"))));
  EXPECT_THAT(notes(2 << 15), Not(HasSubstr("behind the access")));
}

TEST_F(Mem, SelectionThatIsEmptyOrWrong) {
  const Outcome empty = run({"--min-latency", "1000000"}, recording(MemoryPmu::intel));
  EXPECT_THAT(empty.out, AllOf(HasSubstr("no access was kept"), Not(HasSubstr("no latencies were recorded"))));
  for (const char* option : {"--min-latency", "--node"}) {
    const Outcome wrong = run({option, "-5"}, recording(MemoryPmu::intel));
    EXPECT_EQ(wrong.status, wrong_usage);
    EXPECT_THAT(wrong.err, HasSubstr(std::string(option) + " -5: a whole number from 0 on is needed"));
  }
  EXPECT_EQ(samples_by("op,mem", MemoryPmu::intel, {"--level", "l1"}).count("STORE,L1 miss"), 0u);
  test::RecordingBuilder in;
  in.event({.sample_period = 1, .sample_type = bit::ip | bit::tid | bit::addr});
  const Outcome without = run_command("fold", {"--node", "0", directory_.write("faults.data", Bytes(in.file()))});
  EXPECT_EQ(without.status, wrong_usage);
  EXPECT_THAT(without.err, HasSubstr("mem.node: no event of the recording has physical addresses"));
}

TEST_F(Mem, FiltersKnowNodesAndRegions) {
  const auto rows = samples_by("node");
  for (const std::string node : {"0", "1"}) {
    EXPECT_EQ(samples_by("node", MemoryPmu::intel, {"--filter", "mem.node == " + node}),
              (std::map{std::pair(node, rows.at(node))}));
  }
  EXPECT_EQ(samples_by("node", MemoryPmu::intel, {"--filter", "mem.region == 0"}), rows);
  EXPECT_THAT(run({"--filter", "mem.region == 3"}, recording(MemoryPmu::intel)).err, HasSubstr(" 0 of "));
}

TEST_F(Mem, RawHasOneLineForEachAccess) {
  const std::string text = shown({"--raw"});
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(text, '\n')), accesses_.size());
  EXPECT_THAT(text,
              HasSubstr("[000] 1000/1001 model ip 401014 update (model) addr 404100 counters+0x0 (model) weight "));
  const Json line = Json::parse(shown({"--raw", "--json"}).substr(0, shown({"--raw", "--json"}).find('\n')));
  EXPECT_EQ(line["addr"], test::ModelFile::counters);
  EXPECT_EQ(line["data_src"], test::data_source_of(MemoryPmu::intel, accesses_.front()));
  EXPECT_EQ(line["ins_lat"], accesses_.front().latency + 10);
  EXPECT_EQ(line["p_stage_cyc"], 2);
}

TEST_F(Mem, FoldedStacksEndWithTheLevel) {
  const std::string text = shown({"--folded", "-", "--weight", "samples", "-e", "cpu/mem-loads*"});
  EXPECT_THAT(text, HasSubstr("model;update;[Remote L3 hit] "));
  std::uint64_t sum = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) sum += std::stoull(line.substr(line.rfind(' ')));
  EXPECT_EQ(sum, count([](const ModelAccess& access) { return !access.store; }));
}

TEST_F(Mem, UnknownValuesAreCounted) {
  test::RecordingBuilder in;
  in.event({.type = 4, .sample_period = 1, .sample_type = bit::ip | bit::tid | bit::addr | bit::data_src});
  constexpr std::uint64_t load = 2, unknown_hops = std::uint64_t{7} << 43;
  in.record(reader::RecordType::sample, in.bytes().u64(1).u32(7).u32(7).u64(0x1000).u64(load | unknown_hops));
  in.record(reader::RecordType::sample, in.bytes().u64(1).u32(7).u32(7).u64(0x1000).u64(load));
  constexpr std::uint64_t level_0 = std::uint64_t{7} << 33, region = std::uint64_t{10} << 46;
  for (int i = 0; i < 2; ++i) {
    in.record(reader::RecordType::sample, in.bytes().u64(1).u32(7).u32(7).u64(0x1000).u64(load | level_0 | region));
  }
  const std::string file = directory_.write("unknown.data", Bytes(in.file()));
  EXPECT_THAT(run({}, file).out, HasSubstr("3 accesses have a data source with values that are unknown here: "
                                           "mem_lvl_num 7 (2), mem_region 10 (2), mem_hops 7 (1)"));
  const Json json = Json::parse(run({"--json"}, file).out);
  EXPECT_EQ(json["counts"]["unknown_value"], 3);
  EXPECT_EQ(json["unknown_values"][2], Json::parse(R"({"part": "mem_hops", "value": 7, "accesses": 1})"));
  EXPECT_EQ(run_command("c2c", {"--json", file}).status, done);
}

// A breakpoint on writes gives samples that are stores.
TEST_F(Mem, BreakpointsAreAccesses) {
  test::RecordingBuilder in;
  in.event({.type = reader::event_type::breakpoint, .sample_period = 1, .sample_type = bit::ip | bit::tid | bit::addr});
  in.record(reader::RecordType::sample, in.bytes().u64(1).u32(7).u32(7).u64(0x1000));
  const Outcome outcome = run({"--json"}, directory_.write("breakpoint.data", Bytes(in.file())));
  EXPECT_EQ(Json::parse(outcome.out)["samples"], 1);
  EXPECT_EQ(Json::parse(outcome.out)["counts"]["neither"], 1);  // whether it was a read or a write is not known
}

// Page faults have addresses, but no data sources.
TEST_F(Mem, OverviewLeavesOutWhatNoAccessTells) {
  test::RecordingBuilder in;
  in.event({.sample_period = 1, .sample_type = bit::ip | bit::tid | bit::addr});
  in.record(reader::RecordType::sample, in.bytes().u64(1).u32(7).u32(7).u64(0x1000));
  const Outcome outcome = run({}, directory_.write("faults.data", Bytes(in.file())));
  EXPECT_THAT(outcome.out, AllOf(Not(HasSubstr("snoop")), HasSubstr("unmapped"), HasSubstr("no latencies")));
}

TEST_F(Mem, RecordingsAreAddedUp) {
  const std::string intel = directory_.write("intel.data", test::content_of(recording(MemoryPmu::intel)));
  const Json one = Json::parse(run({"--json"}, intel).out);
  const Json two = Json::parse(run({"--json", recording(MemoryPmu::hybrid)}, intel).out);
  EXPECT_EQ(two["samples"], 2 * one["samples"].get<std::uint64_t>());
  EXPECT_EQ(two["counts"]["local_hitm"], 2 * one["counts"]["local_hitm"].get<std::uint64_t>());
  EXPECT_EQ(two["tables"][6]["rows"][0]["samples"], 2 * one["tables"][6]["rows"][0]["samples"].get<std::uint64_t>());

  const std::string raw = run({"--raw", "--csv"}, intel).out;
  const std::string both = run({"--raw", "--csv", intel}, intel).out;
  EXPECT_EQ(both, raw + raw.substr(raw.find('\n') + 1));
}

TEST_F(Mem, AnUnusableRecordingDoesNotKeepTheOthersFromBeingRead) {
  test::RecordingBuilder in;
  in.timed_event().sample_at(1).round();
  const std::string plain = directory_.write("plain.data", Bytes(in.file()));
  const std::string none = directory_.write("none.data", std::string_view("no recording"));
  const std::string sound = recording(MemoryPmu::intel);
  const Outcome outcome = run({"--json", plain, none}, sound);
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_EQ(Json::parse(outcome.out)["samples"], accesses_.size());
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("plain.data: no event of it records data addresses"), HasSubstr("none.data")));
}

TEST_F(Mem, MistakesAreTold) {
  const std::string file = recording(MemoryPmu::intel);
  EXPECT_THAT(run({"--sort", "snop"}, file).err, HasSubstr("did you mean snoop?"));
  EXPECT_THAT(run({"--sort", "mem,mem"}, file).err, HasSubstr("is there twice"));
  EXPECT_THAT(run({"--level", "l9"}, file).err, HasSubstr("--level"));
  EXPECT_THAT(run({"--raw", "--sort", "mem"}, file).err, HasSubstr("--raw prints every access"));
  EXPECT_THAT(run({"--folded", file}, file).err, HasSubstr("is read; it must be written to another place"));
  EXPECT_THAT(run({"--min-latency", "999999"}, file).err, HasSubstr("samples match"));

  test::RecordingBuilder in;
  in.timed_event().sample_at(1).round();
  const Outcome outcome = run({}, directory_.write("plain.data", Bytes(in.file())));
  EXPECT_EQ(outcome.status, input_unusable);
  EXPECT_THAT(outcome.err, HasSubstr("perf mem record does"));
}

}  // namespace
}  // namespace perfsift::tools::mem_tests
