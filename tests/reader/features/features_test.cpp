// Sections in the layout of the write_*() functions in tools/perf/util/header.c.
#include "reader/features/features.h"

#include <algorithm>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/bytes.h"

namespace perfsift::reader {
namespace {

using test::BytesBuilder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// do_write_string(): the length counts the padding to 64 bytes.
class SectionBuilder : public BytesBuilder {
 public:
  using BytesBuilder::BytesBuilder;
  SectionBuilder& u32(std::uint32_t v) { return BytesBuilder::u32(v), *this; }
  SectionBuilder& u64(std::uint64_t v) { return BytesBuilder::u64(v), *this; }
  SectionBuilder& string(std::string_view s) {
    const std::size_t padded = (s.size() + 1 + 63) / 64 * 64;
    BytesBuilder::u32(static_cast<std::uint32_t>(padded)).text(s).zeros(padded - s.size());
    return *this;
  }
};

Features decode(Feature feature, Bytes bytes, ByteOrder order = ByteOrder::native) {
  Features features;
  decode_feature(static_cast<std::uint32_t>(feature), bytes, order, features);
  return features;
}

class FeatureSection : public ::testing::TestWithParam<ByteOrder> {
 protected:
  SectionBuilder section() const { return SectionBuilder(GetParam()); }
  Features decode(Feature feature, const SectionBuilder& section) const {
    return reader::decode(feature, section.view(), GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(InBothByteOrders, FeatureSection, ::testing::Values(ByteOrder::native, ByteOrder::swapped));

TEST_P(FeatureSection, StringsLoseTheirPadding) {
  EXPECT_EQ(decode(Feature::hostname, section().string("build7")).hostname, "build7");
  EXPECT_EQ(decode(Feature::os_release, section().string("6.1.0")).os_release, "6.1.0");
  EXPECT_EQ(decode(Feature::version, section().string("6.1.192")).version, "6.1.192");
  EXPECT_EQ(decode(Feature::arch, section().string("x86_64")).arch, "x86_64");
  EXPECT_EQ(decode(Feature::cpu_description, section().string("A CPU")).cpu_description, "A CPU");
  EXPECT_EQ(decode(Feature::cpu_id, section().string("GenuineIntel,6,143,8")).cpu_id, "GenuineIntel,6,143,8");
}

TEST_P(FeatureSection, CommandLineIsAListOfStrings) {
  const auto features =
      decode(Feature::command_line, section().u32(3).string("/usr/bin/perf").string("record").string(""));
  EXPECT_THAT(features.command_line, ElementsAre("/usr/bin/perf", "record", ""));
}

TEST_P(FeatureSection, Numbers) {
  const auto cpus = decode(Feature::nr_cpus, section().u32(8).u32(6));
  EXPECT_EQ(cpus.cpus_available, 8u);
  EXPECT_EQ(cpus.cpus_online, 6u);
  EXPECT_EQ(decode(Feature::total_memory, section().u64(16000000)).total_memory_kb, 16000000u);
  EXPECT_EQ(decode(Feature::sample_time, section().u64(5).u64(9)).sample_time,
            std::pair(std::uint64_t{5}, std::uint64_t{9}));
  EXPECT_EQ(decode(Feature::clock_id, section().u64(1)).clock_resolution_ns, 1u);
  EXPECT_EQ(decode(Feature::dir_format, section().u64(1)).dir_format, 1u);
  EXPECT_EQ(decode(Feature::e_machine, section().u32(62).u32(7)).e_machine, std::pair(62u, 7u));
  EXPECT_EQ(decode(Feature::cln_size, section().u32(64)).cache_line_size, 64u);
  EXPECT_TRUE(decode(Feature::branch_stack, section()).branch_stack);
  EXPECT_TRUE(decode(Feature::stat, section()).stat);
}

TEST_P(FeatureSection, EventDescriptionsLieOneStrideApart) {
  auto bytes = section().u32(2).u32(72);
  for (std::uint32_t event = 0; event < 2; ++event) {
    bytes.u32(event).u32(64).u64(100 + event).BytesBuilder::zeros(48);
    bytes.u64(0xdead);  // between the attr's own size and the stride
    bytes.u32(event + 1).string(event == 0 ? "cycles:u" : "cpu-clock");
    for (std::uint32_t id = 0; id <= event; ++id) bytes.u64(40 + id);
  }
  const auto features = decode(Feature::event_description, bytes);
  ASSERT_EQ(features.event_descriptions.size(), 2u);
  const auto& [attr, name, ids] = features.event_descriptions[1];
  EXPECT_EQ(attr.type, 1u);
  EXPECT_EQ(attr.config, 101u);
  EXPECT_EQ(attr.config2, 0u);
  EXPECT_EQ(name, "cpu-clock");
  EXPECT_THAT(ids, ElementsAre(40, 41));
}

TEST_P(FeatureSection, CpuTopologyGrewCoresThenDies) {
  Features features;
  features.cpus_available = 2;
  auto bytes = section().u32(1).string("0-1").u32(2).string("0").string("1");
  decode_feature(13, bytes.view(), GetParam(), features);
  EXPECT_THAT(features.cpu_topology->core_siblings, ElementsAre("0-1"));
  EXPECT_THAT(features.cpu_topology->thread_siblings, ElementsAre("0", "1"));
  EXPECT_THAT(features.cpu_topology->cpus, IsEmpty());

  bytes.u32(0).u32(4).u32(1).u32(5);
  decode_feature(13, bytes.view(), GetParam(), features);
  ASSERT_EQ(features.cpu_topology->cpus.size(), 2u);
  EXPECT_EQ(features.cpu_topology->cpus[1].core, 1);
  EXPECT_EQ(features.cpu_topology->cpus[1].socket, 5);
  EXPECT_EQ(features.cpu_topology->cpus[1].die, -1);

  bytes.u32(1).string("0-1").u32(6).u32(7);
  decode_feature(13, bytes.view(), GetParam(), features);
  EXPECT_THAT(features.cpu_topology->die_siblings, ElementsAre("0-1"));
  EXPECT_EQ(features.cpu_topology->cpus[1].die, 7);
  EXPECT_THAT(features.malformed, IsEmpty());
}

TEST_P(FeatureSection, NumaTopology) {
  const auto features = decode(Feature::numa_topology, section().u32(1).u32(3).u64(2000).u64(1000).string("0-3"));
  ASSERT_EQ(features.numa_nodes.size(), 1u);
  EXPECT_EQ(features.numa_nodes[0].node, 3u);
  EXPECT_EQ(features.numa_nodes[0].total_kb, 2000u);
  EXPECT_EQ(features.numa_nodes[0].free_kb, 1000u);
  EXPECT_EQ(features.numa_nodes[0].cpus, "0-3");
}

TEST_P(FeatureSection, PmuMappingsAndGroups) {
  const auto pmus =
      decode(Feature::pmu_mappings, section().u32(2).u32(4).string("cpu").u32(8).string("msr")).pmu_mappings;
  ASSERT_EQ(pmus.size(), 2u);
  EXPECT_EQ(pmus[1].type, 8u);
  EXPECT_EQ(pmus[1].name, "msr");

  const auto groups = decode(Feature::group_description, section().u32(1).string("{anon_group}").u32(1).u32(2)).groups;
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].name, "{anon_group}");
  EXPECT_EQ(groups[0].leader, 1u);
  EXPECT_EQ(groups[0].members, 2u);
}

TEST_P(FeatureSection, AuxtraceIndex) {
  const auto index = decode(Feature::auxtrace, section().u64(2).u64(1).u64(2).u64(3).u64(4)).auxtrace_index;
  ASSERT_EQ(index.size(), 2u);
  EXPECT_EQ(index[1].file_offset, 3u);
  EXPECT_EQ(index[1].size, 4u);
}

TEST_P(FeatureSection, Caches) {
  const auto features =
      decode(Feature::cache,
             section().u32(1).u32(1).u32(2).u32(64).u32(1024).u32(16).string("Unified").string("1024K").string("0-1"));
  ASSERT_EQ(features.caches.size(), 1u);
  const CacheLevel& cache = features.caches[0];
  EXPECT_EQ(cache.level, 2u);
  EXPECT_EQ(cache.line_size, 64u);
  EXPECT_EQ(cache.sets, 1024u);
  EXPECT_EQ(cache.ways, 16u);
  EXPECT_EQ(cache.type, "Unified");
  EXPECT_EQ(cache.size, "1024K");
  EXPECT_EQ(cache.cpus, "0-1");
}

TEST_P(FeatureSection, MemoryTopologyHasABitmapPerNode) {
  const auto topology =
      decode(Feature::memory_topology, section().u64(1).u64(1 << 27).u64(1).u64(0).u64(65).u64(65).u64(0xff).u64(1))
          .memory_topology;
  ASSERT_TRUE(topology);
  EXPECT_EQ(topology->block_size, 1u << 27);
  ASSERT_EQ(topology->nodes.size(), 1u);
  EXPECT_EQ(topology->nodes[0].bits, 65u);
  EXPECT_THAT(topology->nodes[0].bitmap, ElementsAre(0xff, 1));
}

TEST_P(FeatureSection, CompressionAndClocks) {
  const auto compression = decode(Feature::compressed, section().u32(1).u32(2).u32(3).u32(4).u32(5)).compression;
  ASSERT_TRUE(compression);
  EXPECT_EQ(compression->level, 3u);
  EXPECT_EQ(compression->mmap_len, 5u);

  const auto clock = decode(Feature::clock_data, section().u32(1).u32(4).u64(1700000000).u64(77)).clock_data;
  ASSERT_TRUE(clock);
  EXPECT_EQ(clock->clock_id, 4u);
  EXPECT_EQ(clock->wall_ns, 1700000000u);
  EXPECT_EQ(clock->clock_ns, 77u);
}

TEST_P(FeatureSection, PmuCapabilitiesOfTheCpuComeFirst) {
  Features features;
  const auto others = section().u32(1).u32(1).string("branches").string("8").string("cpu_atom");
  const auto cpu = section().u32(2).string("branches").string("32").string("max_precise").string("3");
  decode_feature(31, others.view(), GetParam(), features);
  decode_feature(28, cpu.view(), GetParam(), features);
  ASSERT_EQ(features.pmu_capabilities.size(), 2u);
  EXPECT_EQ(features.pmu_capabilities[0].pmu, "");
  EXPECT_THAT(features.pmu_capabilities[0].capabilities,
              ElementsAre(std::pair("branches", "32"), std::pair("max_precise", "3")));
  EXPECT_EQ(features.pmu_capabilities[1].pmu, "cpu_atom");
  EXPECT_THAT(features.present, ElementsAre(28, 31));
}

TEST_P(FeatureSection, HybridTopology) {
  const auto pmus = decode(Feature::hybrid_topology,
                           section().u32(2).string("cpu_core").string("0-7").string("cpu_atom").string("8-11"))
                        .hybrid_topology;
  ASSERT_EQ(pmus.size(), 2u);
  EXPECT_EQ(pmus[1].pmu, "cpu_atom");
  EXPECT_EQ(pmus[1].cpus, "8-11");
}

TEST_P(FeatureSection, CpuDomainsHaveNamesSinceVersion17) {
  const auto named =
      decode(Feature::cpu_domain_info,
             section().u32(17).u32(2).u32(0).u32(1).u32(0).string("MC").string("3").string("0-1").u32(1).u32(0))
          .cpu_domains.value()
          .cpus;
  ASSERT_EQ(named.size(), 2u);
  ASSERT_EQ(named[0].levels.size(), 1u);
  EXPECT_EQ(named[0].levels[0].name, "MC");
  EXPECT_EQ(named[0].levels[0].cpu_mask, "3");
  EXPECT_EQ(named[0].levels[0].cpu_list, "0-1");
  EXPECT_EQ(named[1].cpu, 1u);

  const auto nameless =
      decode(Feature::cpu_domain_info, section().u32(16).u32(1).u32(0).u32(1).u32(5).string("3").string("0-1"))
          .cpu_domains.value()
          .cpus;
  ASSERT_EQ(nameless.size(), 1u);
  EXPECT_EQ(nameless[0].levels[0].level, 5u);
  EXPECT_EQ(nameless[0].levels[0].name, "");
  EXPECT_EQ(nameless[0].levels[0].cpu_mask, "3");
}

// struct bpf_prog_info up to prog_tags, and then the arrays of `arrays`.
TEST_P(FeatureSection, BpfProgramsKeepTheirArraysBehindThem) {
  auto bytes = section().u32(1).u32(192).u32(32).u64(1 << 3 | 1 << 4 | 1 << 8);
  bytes.u32(2).u32(17);  // type, id
  bytes.zeros(56).text("my_prog").zeros(9).zeros(24);
  bytes.u32(2).u32(2).u64(0).u64(16);  // two addresses at 0, two lengths at 16
  bytes.zeros(52);
  bytes.u32(1).u64(24);  // one tag at 24
  bytes.u64(0xffffffffc0001000).u64(0xffffffffc0002000).u32(100).u32(200).text("ABCDEFGH");
  const auto programs = decode(Feature::bpf_prog_info, bytes).bpf_programs;
  ASSERT_EQ(programs.size(), 1u);
  EXPECT_EQ(programs[0].type, 2u);
  EXPECT_EQ(programs[0].id, 17u);
  EXPECT_EQ(programs[0].name, "my_prog");
  EXPECT_THAT(programs[0].ksyms, ElementsAre(0xffffffffc0001000, 0xffffffffc0002000));
  EXPECT_THAT(programs[0].lengths, ElementsAre(100, 200));
  ASSERT_EQ(programs[0].tags.size(), 1u);
  EXPECT_EQ(std::to_integer<char>(programs[0].tags[0][7]), 'H');
}

TEST_P(FeatureSection, BpfBtf) {
  auto bytes = section().u32(1).u32(9).u32(3);
  bytes.text("btf");
  const auto btfs = decode(Feature::bpf_btf, bytes).bpf_btfs;
  ASSERT_EQ(btfs.size(), 1u);
  EXPECT_EQ(btfs[0].id, 9u);
  EXPECT_EQ(btfs[0].data.size(), 3u);
}

TEST(DecodeFeature, ArraysOfABpfProgramOutsideItsDataAreMalformed) {
  auto bytes = SectionBuilder().u32(1).u32(192).u32(0).u64(1 << 3);
  bytes.zeros(104).u32(1).zeros(84);
  const auto features = decode(Feature::bpf_prog_info, bytes.view());
  EXPECT_THAT(features.bpf_programs, IsEmpty());
  EXPECT_THAT(features.malformed, ElementsAre(25));
}

TEST(DecodeFeature, UnknownNumbersAreListed) {
  Features features;
  for (const std::uint32_t number : {40u, 0u, 35u, 40u}) decode_feature(number, {}, ByteOrder::native, features);
  EXPECT_THAT(features.present, ElementsAre(0, 35, 40));
  EXPECT_THAT(features.unknown, ElementsAre(0, 35, 40));
  EXPECT_THAT(features.malformed, IsEmpty());
}

TEST(DecodeFeature, AWrongCountCostsNothing) {
  const auto bytes = SectionBuilder().u32(0xffffffff).string("perf");
  const auto features = decode(Feature::command_line, bytes.view());
  EXPECT_THAT(features.command_line, IsEmpty());
  EXPECT_THAT(features.malformed, ElementsAre(11));
}

TEST(DecodeFeature, OneByteIsTooLittleForEverySectionThatHasNumbers) {
  Features features;
  for (std::uint32_t number = 1; number <= last_known_feature; ++number)
    decode_feature(number, BytesBuilder().u8(1).view(), ByteOrder::native, features);
  std::vector<std::uint32_t> decoded;
  std::ranges::set_difference(features.present, features.malformed, std::back_inserter(decoded));
  // TRACING_DATA is stored unchanged. BRANCH_STACK and STAT are only marks.
  EXPECT_THAT(decoded, ElementsAre(1, 15, 19));
}

// perf 3.8 on an Arm machine without a "Processor" line in /proc/cpuinfo wrote such a CPUDESC.
TEST(DecodeFeature, AnEmptySectionSaysNothingAndIsNotMalformed) {
  const auto features = decode(Feature::cpu_description, {});
  EXPECT_EQ(features.cpu_description, "");
  EXPECT_THAT(features.present, ElementsAre(8));
  EXPECT_THAT(features.malformed, IsEmpty());
}

constexpr std::string_view id20 = "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14";
constexpr auto id20_hex = "0102030405060708090a0b0c0d0e0f1011121314";

std::vector<std::byte> build_id(ByteOrder order, std::uint16_t misc, std::int32_t pid, std::uint8_t size,
                                std::string_view path) {
  const auto payload =
      BytesBuilder(order).u32(static_cast<std::uint32_t>(pid)).text(id20).u8(size).zeros(3).padded(path).take();
  return BytesBuilder(order).record(67, misc, payload).take();
}

TEST_P(FeatureSection, BuildIdSectionIsASequenceOfRecords) {
  auto bytes = section();
  bytes.bytes(build_id(GetParam(), 1, -1, 0, "[kernel.kallsyms]"));
  bytes.bytes(build_id(GetParam(), 2 | misc::build_id_size, 77, 8, "/usr/bin/a"));
  const auto entries = decode(Feature::build_id, bytes).build_ids;
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].pid, -1);
  EXPECT_EQ(entries[0].mode, CpuMode::kernel);
  EXPECT_EQ(entries[0].build_id.hex(), id20_hex);
  EXPECT_EQ(entries[0].path, "[kernel.kallsyms]");
  EXPECT_EQ(entries[1].pid, 77);
  EXPECT_EQ(entries[1].mode, CpuMode::user);
  EXPECT_EQ(entries[1].build_id.hex(), "0102030405060708");
}

TEST(DecodeFeature, BuildIdEntriesWithoutAPidAreRecognisedByTheKernelsName) {
  const auto entry = [](std::uint16_t misc, std::string_view path) {
    return BytesBuilder().record(67, misc, BytesBuilder().text(id20).zeros(4).padded(path).view()).take();
  };
  auto bytes =
      BytesBuilder().bytes(entry(2, "/bin/ls")).bytes(entry(1, "[kernel.kallsyms]")).bytes(entry(5, "/bin/guest"));
  const auto entries = decode(Feature::build_id, bytes.view()).build_ids;
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].path, "/bin/ls");
  EXPECT_EQ(entries[0].pid, -1);
  EXPECT_EQ(entries[1].path, "[kernel.kallsyms]");
  EXPECT_EQ(entries[1].build_id.hex(), id20_hex);
  EXPECT_EQ(entries[2].pid, 0);
}

TEST(DecodeFeature, BuildIdsBeforeADamagedEntryAreKept) {
  auto bytes = BytesBuilder().bytes(build_id(ByteOrder::native, 2, 1, 0, "/bin/ls")).u32(67).u16(2).u16(4);
  const auto features = decode(Feature::build_id, bytes.view());
  EXPECT_EQ(features.build_ids.size(), 1u);
  EXPECT_THAT(features.malformed, ElementsAre(2));
}

}  // namespace
}  // namespace perfsift::reader
