// The names that a filter sees depend neither on the command nor on how the command prints names.
#include <gmock/gmock.h>

#include "tests/support/elf_builder.h"
#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::filter_names {  // a unity build compiles other tests in the same file
namespace {

using reader::RecordType;
using test::BytesBuilder;
using test::RecordingBuilder;
using ::testing::HasSubstr;
namespace bit = reader::sample_bit;

constexpr std::uint64_t text = 0xffffffff81000000;

// A kernel whose first function has the address of a linker symbol. perf 6.1 prints the linker symbol, and newer
// versions print the function.
std::vector<std::byte> vmlinux() {
  const std::string_view names("\0function\0_stext\0", 17);
  const auto symbol = [&](std::string_view name, unsigned char info, std::uint64_t size) {
    return Elf64_Sym{.st_name = static_cast<Elf64_Word>(names.find(name)),
                     .st_info = info,
                     .st_other = STV_DEFAULT,
                     .st_shndx = 1,
                     .st_value = text,
                     .st_size = size};
  };
  const Elf64_Sym symbols[] = {{},
                               symbol("function", ELF64_ST_INFO(STB_LOCAL, STT_FUNC), 64),
                               symbol("_stext", ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), 0)};
  test::ElfBuilder builder(EM_X86_64, ET_EXEC);
  builder.section(".text", BytesBuilder().zeros(64).view(), SHF_ALLOC | SHF_EXECINSTR, text);
  builder.section(".strtab", std::as_bytes(std::span(names)), {.type = SHT_STRTAB});
  builder.section(".symtab", std::as_bytes(std::span(symbols)),
                  {.type = SHT_SYMTAB, .link = 2, .entry_size = sizeof(Elf64_Sym)});
  return builder.take();
}

RecordingBuilder recording() {
  RecordingBuilder in;
  in.event(
      {.sample_type = bit::ip | bit::tid | bit::time | bit::period | bit::callchain, .flags = test::sample_id_all});
  in.record_at(1, RecordType::mmap,
               BytesBuilder().u32(~0u).u32(0).u64(text).u64(0x1000).u64(text).padded("[kernel.kallsyms]_stext"),
               test::kernel_mode);
  in.comm_at(2, 7, "app");
  BytesBuilder sample;
  sample.u64(text + 0x10).u32(7).u32(7).u64(10).u64(1);
  sample.u64(2).u64(reader::callchain_context::kernel).u64(text + 0x10);
  in.record(RecordType::sample, sample, test::kernel_mode);
  return in;
}

class FilterNames : public ::testing::Test {
 protected:
  std::string output_of(std::string_view command, options::Arguments arguments) const {
    for (const std::string& more : {std::string("--no-cache"), std::string("--vmlinux"), vmlinux_, file_})
      arguments.push_back(more);
    return run_command(command, arguments).out;
  }

  const test::TemporaryDirectory directory_;
  const std::string vmlinux_ = directory_.write("vmlinux", vmlinux());
  const std::string file_ = directory_.write("perf.data", recording().file());
};

TEST_F(FilterNames, AreTheSameInEachStyleAndCommand) {
  const std::string function = "sym == 'function'", mark = "sym == '_stext'";
  EXPECT_THAT(output_of("script", {"--filter", function}), HasSubstr("function"));
  EXPECT_EQ(output_of("script", {"--filter", mark}), "");
  EXPECT_THAT(output_of("script", {"--perf-style", "6.1", "--filter", function}), HasSubstr("_stext"));
  EXPECT_EQ(output_of("script", {"--perf-style", "6.1", "--filter", mark}), "");
  EXPECT_EQ(output_of("fold", {"--filter", function}), "app;function 1\n");
  EXPECT_EQ(output_of("fold", {"--filter", mark}), "");
  EXPECT_THAT(output_of("fold", {"--compat", "flamegraph", "--filter", function}), HasSubstr("_stext"));
  EXPECT_EQ(output_of("fold", {"--compat", "flamegraph", "--filter", mark}), "");
  EXPECT_THAT(output_of("filter", {"--dry-run", "--json", "--filter", function}), HasSubstr("\"kept\": 1"));
  EXPECT_THAT(output_of("filter", {"--dry-run", "--json", "--filter", mark}), HasSubstr("\"kept\": 0"));
}

}  // namespace
}  // namespace perfsift::tools::filter_names
