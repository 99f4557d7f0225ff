#include "symbolize/symbols/kallsyms.h"

#include <gmock/gmock.h>

#include "symbolize/symbols/symbol_table.h"
#include "tests/support/temporary.h"
#include "tests/symbolize/fixtures.h"

namespace perfsift::symbolize {
namespace {

using test::name_at;

constexpr const char* list =
    "0000000000000000 A fixed_percpu_data\n"
    "ffffffff81000000 T _stext\n"
    "ffffffff81000000 T _text\n"
    "ffffffff81000100 t helper\n"
    "ffffffff81000200 T memcpy\n"
    "ffffffff81000200 W __memcpy\n"
    "ffffffff81000200 T __pi_memcpy\n"
    "ffffffff81000300 r rodata\n"
    "ffffffff81000310 t $d.1\n"
    "ffffffff81000400 D data\n"
    "ffffffffc0a01010 t fill_super\t[ext4]\n"
    "ffffffffc0a01090 T put_super\t[ext4]\n"
    "ffffffffc0a09000 d ops\t[ext4]\n"
    "ffffffffc0b00000 t bpf_prog_1\t[bpf]\n";

TEST(Kallsyms, FunctionsAndDataOfTheKernelAreListedInTheirOrder) {
  const Kallsyms kallsyms(list);
  std::vector<std::string> names;
  for (const Symbol& symbol : kallsyms.kernel()) names.emplace_back(symbol.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"_stext", "_text", "helper", "memcpy", "__memcpy", "__pi_memcpy", "data"}));
  EXPECT_EQ(kallsyms.kernel()[2].start, 0xffffffff81000100u);
  EXPECT_EQ(kallsyms.kernel()[2].binding, Binding::local);
  EXPECT_EQ(kallsyms.kernel()[4].binding, Binding::weak);
  EXPECT_EQ(kallsyms.kernel()[5].binding, Binding::global);
}

TEST(Kallsyms, SymbolsOfModulesAreKeptApart) {
  const Kallsyms kallsyms(list);
  ASSERT_NE(kallsyms.module("ext4"), nullptr);
  EXPECT_EQ(kallsyms.module("ext4")->symbols.size(), 3u);
  EXPECT_EQ(kallsyms.module("ext4")->symbols[0].name, "fill_super");
  EXPECT_EQ(kallsyms.module("ext4")->first_code, 0xffffffffc0a01010u);
  EXPECT_EQ(kallsyms.module("bpf")->symbols.size(), 1u);
  EXPECT_EQ(kallsyms.module("xfs"), nullptr);
}

TEST(Kallsyms, AListOfZerosIsRestricted) {
  EXPECT_TRUE(Kallsyms("0000000000000000 T _text\n0000000000000000 t a\n").restricted());
  EXPECT_FALSE(Kallsyms(list).restricted());
  EXPECT_FALSE(Kallsyms("").restricted());
}

TEST(Kallsyms, BrokenLinesAreDropped) {
  const Kallsyms kallsyms(
      "\n"
      "T\n"
      "zzz T not_hex\n"
      "11111111111111111 T too_many_digits\n"
      "10 T\n"
      "10 T \n"
      "10  T two_spaces\n"
      "10 T ]\n"
      "10 T []\n"
      "10 T [m]\n"
      "10 T \t[m]\n"
      "20 T a\t[]\n"
      "30 T last");
  ASSERT_EQ(kallsyms.kernel().size(), 2u);
  EXPECT_EQ(kallsyms.kernel()[1].name, "last");
}

class KernelSymbols : public testing::Test {
 protected:
  KernelSymbols() {
    options.kallsyms = directory.write("kallsyms", std::string_view(list));
    kernel.path = "[kernel.kallsyms]";
    kernel.kind = BinaryKind::kernel;
    ext4.path = "[ext4]";
    ext4.kind = BinaryKind::kernel_module;
    ext4.load_address = 0xffffffffc0a01000;
    ext4.size = 0x5000;
  }
  const SymbolFile& file(const Binary& binary) {
    symbolizer = std::make_unique<Symbolizer>(options);
    return symbolizer->file(binary);
  }

  test::TemporaryDirectory directory;
  SymbolizeOptions options = test::nowhere_else();
  Binary kernel;
  Binary ext4;
  std::unique_ptr<Symbolizer> symbolizer;
};

TEST_F(KernelSymbols, AFunctionReachesToTheNextOne) {
  const SymbolFile& names = file(kernel);
  EXPECT_EQ(name_at(names, 0xffffffff810000ff), "_text");
  EXPECT_EQ(name_at(names, 0xffffffff81000100), "helper");
  EXPECT_EQ(name_at(names, 0xffffffff810003ff), "__pi_memcpy");
  EXPECT_EQ(name_at(names, 0xffffffff80ffffff), "");
  EXPECT_FALSE(names.mangled());
}

TEST_F(KernelSymbols, TheLastOneReachesToTheEndOfItsPageAndOneMore) {
  const SymbolFile& names = file(kernel);
  EXPECT_EQ(name_at(names, 0xffffffff81001fff), "data");
  EXPECT_EQ(name_at(names, 0xffffffff81002000), "");
}

// perf 6.1 and 7.2 print the same name.
TEST_F(KernelSymbols, OfAliasesTheLastOneIsTakenInAllStyles) {
  for (const bool as_6_1 : {false, true}) {
    options.aliases_as_perf_6_1 = as_6_1;
    EXPECT_EQ(name_at(file(kernel), 0xffffffff81000200), "__pi_memcpy");
    EXPECT_EQ(name_at(file(kernel), 0xffffffff81000000), "_text");
  }
}

TEST_F(KernelSymbols, AnotherPlaceAtAnotherBootIsMadeUpForByTheReferenceSymbol) {
  kernel.reference_symbol = "_text";
  kernel.reference_address = 0xffffffff91000000;
  const SymbolFile& names = file(kernel);
  EXPECT_EQ(name_at(names, 0xffffffff91000110), "helper");
  EXPECT_EQ(name_at(names, 0xffffffff81000110), "");
}

TEST_F(KernelSymbols, AListWithoutTheReferenceSymbolIsOfAnotherKernel) {
  kernel.reference_symbol = "_other";
  kernel.reference_address = 0xffffffff91000000;
  EXPECT_EQ(file(kernel).why_missing(), Missing::foreign_kernel);
}

TEST_F(KernelSymbols, AListOfZerosSaysThatTheKernelHidesThem) {
  options.kallsyms = directory.write("zeros", std::string_view("0000000000000000 T _text\n"));
  EXPECT_EQ(file(kernel).why_missing(), Missing::kernel_restricted);
  EXPECT_EQ(file(ext4).why_missing(), Missing::kernel_restricted);
}

TEST_F(KernelSymbols, AForeignKernelIsNeverNamedFromThisMachine) {
  options.kallsyms.clear();
  kernel.kernel_known = true;
  EXPECT_EQ(file(kernel).why_missing(), Missing::foreign_kernel);
  EXPECT_TRUE(file(kernel).symbols().empty());
}

// perf record was killed, so the recording has no release and no build id.
TEST_F(KernelSymbols, AKernelThatTheRecordingDoesNotTellIsNotCalledForeign) {
  options.kallsyms.clear();
  EXPECT_EQ(file(kernel).why_missing(), Missing::unknown_kernel);
  EXPECT_EQ(file(ext4).why_missing(), Missing::unknown_kernel);
  kernel.build_id = test::build_id_of_hex("0102030405060708090a0b0c0d0e0f1011121314");
  EXPECT_EQ(file(kernel).why_missing(), Missing::foreign_kernel);
}

TEST_F(KernelSymbols, AKernelWithAnotherBuildIdIsForeignEvenWhenItsNameIsTheSame) {
  options.kallsyms.clear();
  kernel.same_kernel = true;
  kernel.build_id = test::build_id_of_hex("0102030405060708090a0b0c0d0e0f1011121314");
  EXPECT_EQ(file(kernel).why_missing(), Missing::foreign_kernel);
}

TEST_F(KernelSymbols, TheListOfTheRecordingsBuildIsFoundInTheCache) {
  options.kallsyms.clear();
  options.build_id_dir = directory.path();
  kernel.build_id = test::build_id_of_hex("0102030405060708090a0b0c0d0e0f1011121314");
  const std::string path =
      directory.write("[kernel.kallsyms]/0102030405060708090a0b0c0d0e0f1011121314/kallsyms", std::string_view(list));
  EXPECT_EQ(name_at(file(kernel), 0xffffffff81000110), "helper");
  EXPECT_EQ(file(kernel).source(), path);
}

TEST_F(KernelSymbols, AGuestsAddressesAreNotNamedFromTheHost) {
  options.kallsyms.clear();
  kernel.path = "[guest.kernel.kallsyms]";
  kernel.same_kernel = true;
  EXPECT_EQ(file(kernel).why_missing(), Missing::guest);
}

TEST_F(KernelSymbols, AModulesSymbolsAreRelativeToWhereItWasLoaded) {
  const SymbolFile& names = file(ext4);
  EXPECT_EQ(name_at(names, 0x10), "fill_super");
  EXPECT_EQ(name_at(names, 0x90), "put_super");
  EXPECT_EQ(name_at(names, 0xf), "");
}

TEST_F(KernelSymbols, AModuleThatWasLoadedElsewhereAtAnotherBootIsNotNamed) {
  ext4.load_address += 0x2000;
  EXPECT_TRUE(file(ext4).symbols().empty());
  ext4.load_address -= 0x4000;
  EXPECT_TRUE(file(ext4).symbols().empty());
}

TEST_F(KernelSymbols, AModulesFileIsReadPackedOrNot) {
  for (const std::string name : {"module.ko", "module.ko.xz", "module.ko.gz", "module.ko.zst"}) {
    Binary module;
    module.kind = BinaryKind::kernel_module;
    module.path = test::fixture(name);
    // The code starts with the section .text, at the start of the mapping.
    const std::string plain = test::fixture("module.ko");
    const std::uint64_t text = std::stoull(test::content_of(test::fixture("module.text")), nullptr, 16);
    EXPECT_EQ(name_at(file(module), test::offset_of("MARK:inner", plain) - text), "inner") << name;
  }
}

TEST_F(KernelSymbols, AVmlinuxIsShiftedAndCheckedLikeKallsyms) {
  options.kallsyms.clear();
  options.vmlinux = test::fixture("program");
  kernel.build_id = {};
  kernel.reference_symbol = "marked_function";
  kernel.reference_address = 0xffffffff81000000;
  const std::uint64_t marked = test::offset_of("MARK:function", options.vmlinux);
  const std::uint64_t inner = test::offset_of("MARK:inner", options.vmlinux);
  EXPECT_EQ(name_at(file(kernel), 0xffffffff81000000 + inner - marked), "inner");
  kernel.build_id = test::marked_build_id();
  EXPECT_EQ(file(kernel).why_missing(), Missing::build_id_differs);
}

TEST_F(KernelSymbols, AGivenFileThatDoesNotFitIsWarnedOf) {
  kernel.reference_symbol = "no_such_symbol";
  kernel.reference_address = 0xffffffff81000000;
  const std::string other_kernel = "names no address of the kernel: " + std::string(describe(Missing::foreign_kernel));
  EXPECT_THAT(file(kernel).warnings(), testing::ElementsAre(FileWarning{options.kallsyms, other_kernel}));
  options.vmlinux = test::fixture("program");
  EXPECT_THAT(file(kernel).warnings(), testing::ElementsAre(FileWarning{options.vmlinux, other_kernel}));
}

TEST_F(KernelSymbols, ABpfProgramIsOneFunction) {
  Binary program;
  program.kind = BinaryKind::kernel_symbol;
  program.path = "bpf_prog_6deef7357e7b4530";
  program.size = 0x40;
  const SymbolFile& names = file(program);
  EXPECT_EQ(name_at(names, 0), "bpf_prog_6deef7357e7b4530");
  EXPECT_EQ(name_at(names, 0x3f), "bpf_prog_6deef7357e7b4530");
  EXPECT_EQ(name_at(names, 0x40), "");
}

}  // namespace
}  // namespace perfsift::symbolize
