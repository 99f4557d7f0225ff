#include "symbolize/symbols/elf_symbols.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <tuple>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "symbolize/program_names.h"
#include "symbolize/symbols/plt.h"
#include "tests/support/plt_program.h"
#include "tests/support/temporary.h"
#include "tests/symbolize/fixtures.h"

namespace perfsift::symbolize {
namespace {

using test::fixture;
using test::name_at;
using testing::ElementsAre;

const SymbolFile& names_of(Symbolizer& symbolizer, const std::string& path) { return symbolizer.file({.path = path}); }

std::string name_at_mark(const std::string& file, const std::string& mark, std::uint64_t further = 0) {
  Symbolizer symbolizer(test::nowhere_else());
  return name_at(names_of(symbolizer, file), test::offset_of("MARK:" + mark, file) + further);
}

TEST(ElfSymbols, AFunctionIsFoundFromItsFirstToItsLastByte) {
  EXPECT_EQ(name_at_mark(fixture("marked.so"), "function..."), "marked_function");
  EXPECT_EQ(name_at_mark(fixture("marked.so"), "function...", 15), "marked_function");
}

TEST(ElfSymbols, BehindTheEndOfAFunctionThereIsNoName) { EXPECT_EQ(name_at_mark(fixture("marked.so"), "gap"), ""); }

TEST(ElfSymbols, AddressesOfAProgramAreTurnedIntoPlacesInItsFile) {
  EXPECT_EQ(name_at_mark(fixture("program"), "function..."), "marked_function");
  EXPECT_EQ(name_at_mark(fixture("program"), "object"), "marked_object");
}

TEST(ElfSymbols, DataHasNamesToo) { EXPECT_EQ(name_at_mark(fixture("marked.so"), "object"), "marked_object"); }

TEST(ElfSymbols, OfAliasesPerfsChoiceIsTaken) {
  EXPECT_EQ(name_at_mark(fixture("marked.so"), "aliases"), "alias_longest");
}

TEST(ElfSymbols, OfLabelsWithoutSizeTheGlobalOneReachesToTheNextSymbol) {
  EXPECT_EQ(name_at_mark(fixture("marked.so"), "label..."), "label_global");
  EXPECT_EQ(name_at_mark(fixture("marked.so"), "label.2", 15), "label_global");
}

TEST(ElfSymbols, TheInnermostOfNestedFunctionsAnswers) {
  EXPECT_EQ(name_at_mark(fixture("marked.so"), "outer.1"), "outer");
  EXPECT_EQ(name_at_mark(fixture("marked.so"), "inner"), "inner");
  EXPECT_EQ(name_at_mark(fixture("marked.so"), "outer.2"), "outer");
}

// The linker makes hidden labels local and drops their visibility: only object files have hidden labels.
TEST(ElfSymbols, HiddenLabelsAreNotNames) {
  Symbolizer symbolizer(test::nowhere_else());
  const auto& symbols = names_of(symbolizer, fixture("module.ko")).symbols();
  EXPECT_NE(std::ranges::find(symbols, "label_global", &Symbol::name), symbols.end());
  EXPECT_EQ(std::ranges::find(symbols, "hidden_label", &Symbol::name), symbols.end());
}

TEST(ElfSymbols, AbsoluteSymbolsAndSectionsThatAreNotLoadedAreLeftOut) {
  Symbolizer symbolizer(test::nowhere_else());
  for (const Symbol& symbol : names_of(symbolizer, fixture("marked.so")).symbols()) {
    EXPECT_NE(symbol.name, "absolute");
    EXPECT_NE(symbol.name, "not_loaded_function");
  }
}

TEST(ElfSymbols, AStrippedLibraryHasTheNamesItExportsAndSaysThatItIsStripped) {
  Symbolizer symbolizer(test::nowhere_else());
  const std::string path = fixture("stripped.so");
  const SymbolFile& file = names_of(symbolizer, path);
  EXPECT_EQ(name_at(file, test::offset_of("MARK:function", path)), "marked_function");
  EXPECT_EQ(file.why_missing(), Missing::stripped);
}

TEST(ElfSymbols, MiniDebuginfoNamesLocalFunctionsOfAStrippedLibrary) {
  const auto has_local_function = [](const std::string& path) {
    Symbolizer symbolizer(test::nowhere_else());
    const auto& symbols = symbolizer.file({.path = path}).symbols();
    return std::ranges::find(symbols, "compare", &Symbol::name) != symbols.end();
  };
  EXPECT_TRUE(has_local_function(fixture("marked.so")));
  EXPECT_FALSE(has_local_function(fixture("stripped.so")));
  EXPECT_TRUE(has_local_function(fixture("mini.so")));
}

struct PltEntry {
  std::uint64_t address;
  std::string name;
};

// "0000000000001030 <abs@plt>:", in objdump's format. Our names have no version ("@GLIBC_2.2.5").
std::vector<PltEntry> objdump_plt(const std::string& fixture_name) {
  std::istringstream in(test::content_of(fixture(fixture_name + ".plt")));
  std::vector<PltEntry> entries;
  for (std::string address, name; in >> address >> name;)
    entries.push_back({std::strtoull(address.c_str(), nullptr, 16), name.substr(1, name.size() - 3)});
  return entries;
}

class Plt : public testing::TestWithParam<const char*> {};

TEST_P(Plt, EveryEntryHasTheNameThatObjdumpGivesIt) {
  Symbolizer symbolizer(test::nowhere_else());
  const SymbolFile& file = names_of(symbolizer, fixture(GetParam()));
  const auto elf = [&] {
    Missing why;
    return ElfFile::open(fixture(GetParam()), why);
  }();
  const auto expected = objdump_plt(GetParam());
  ASSERT_THAT(expected, testing::SizeIs(testing::Ge(4)));
  for (const PltEntry& entry : expected) {
    const auto offset = elf->file_offset(entry.address).value();
    EXPECT_EQ(name_at(file, offset), entry.name);
    EXPECT_EQ(name_at(file, offset + 7), entry.name);
  }
}

std::string without_suffix(const testing::TestParamInfo<const char*>& file) {
  const std::string name = file.param;
  return name.substr(0, name.find('.'));
}

INSTANTIATE_TEST_SUITE_P(Files, Plt, testing::Values("marked.so", "now.so", "program", "protected.so"), without_suffix);

// The PLT entries of a program made by hand, by their addresses.
std::vector<std::string> plt_names(const test::PltProgram& program, const Placement& place, const ElfFile& file) {
  SymbolTable table;
  add_dynsym(file, place, table);
  add_plt(file, place, table);
  table.finish();
  std::vector<std::string> names;
  for (const std::size_t number : {0, 1, 2}) names.push_back(name_at(table, program.entry(number)));
  return names;
}

class MadePlt : public testing::TestWithParam<std::tuple<std::uint16_t, test::PltForm>> {
 protected:
  static test::PltProgram program() {
    const auto [machine, form] = GetParam();
    return {.machine = machine, .form = form};
  }
  // Names by address, as in `perfsift symbolize`, or by file offset, as in recordings. Both results must be equal
  // except for the distance, because the whole file is loaded.
  static std::vector<std::string> names(const test::PltProgram& program) {
    const auto file = ElfFile::from_memory(program.image(), "image");
    const auto by_address = [](std::uint64_t address, const ElfFile::Section&) { return std::optional(address); };
    const Placement in_file = place_in_file(*file);
    const auto by_place = [&](std::uint64_t address, const ElfFile::Section& section) -> std::optional<std::uint64_t> {
      const auto place = in_file(address, section);
      return place ? std::optional(*place + test::PltProgram::base) : std::nullopt;
    };
    auto found = plt_names(program, by_address, *file);
    EXPECT_EQ(plt_names(program, by_place, *file), found);
    return found;
  }
};

TEST_P(MadePlt, AnIndirectFunctionHasTheNameOfItsResolver) {
  EXPECT_THAT(names(program()), ElementsAre("first@plt", "second@plt", "picked@plt"));
}

// The address is in no segment or in no section. The name is objdump's name for an address without a symbol.
TEST_P(MadePlt, AnIndirectFunctionWhoseResolverIsNowhereHasItsAddressForAName) {
  constexpr std::uint64_t in_a_segment = test::PltProgram::base + 0x10, past_the_file = 0x7777'0000;
  for (const std::uint64_t resolver : {std::uint64_t{0}, in_a_segment, past_the_file, ~std::uint64_t{0}}) {
    test::PltProgram program = MadePlt::program();
    program.resolver = resolver;
    const std::string name = fmt::format("*ABS*+{:#x}@plt", resolver);
    EXPECT_THAT(names(program), ElementsAre("first@plt", "second@plt", name));
  }
}

std::string name_of_form(const testing::TestParamInfo<MadePlt::ParamType>& info) {
  const auto [machine, form] = info.param;
  const std::string forms[] = {"lazy", "now", "protected"};
  return (machine == EM_AARCH64 ? "aarch64_" : "x86_64_") + forms[static_cast<int>(form)];
}

INSTANTIATE_TEST_SUITE_P(Forms, MadePlt,
                         testing::Combine(testing::Values(EM_X86_64, EM_AARCH64),
                                          testing::Values(test::PltForm::lazy, test::PltForm::now,
                                                          test::PltForm::protected_)),
                         name_of_form);

// `perfsift symbolize -e object.o`: only code has addresses, and .plt is the first code section.
TEST(ProgramNamesOfObject, AResolverThatIsNowhereDoesNoHarm) {
  const test::TemporaryDirectory directory;
  const auto image = test::PltProgram{.resolver = 0x7777'0000, .type = ET_REL}.image();
  directory.write("object.o", {reinterpret_cast<const char*>(image.data()), image.size()});
  const ProgramNames program(directory.path() / "object.o", test::nowhere_else());
  std::vector<SourceFrame> frames;
  program.append_frames(0, frames);
  ASSERT_THAT(frames, testing::SizeIs(1));
  EXPECT_EQ(frames[0].name, ".plt");
}

// Reads everything in an image. Names point into the image and are read to the last byte.
std::size_t read_all(std::vector<std::byte> image) {
  const auto file = ElfFile::from_memory(std::move(image), "image");
  if (!file) return 0;
  (void)file->build_id();
  (void)file->debug_link();
  (void)mini_debuginfo(*file);
  SymbolTable table;
  table.set_mangled(true);
  add_symtab(*file, place_in_file(*file), table);
  add_dynsym(*file, place_in_file(*file), table);
  add_plt(*file, place_in_file(*file), table);
  table.finish();
  std::size_t total = 0;
  for (const Symbol& symbol : table.symbols()) total += std::hash<std::string_view>()(symbol.name) % 2 + 1;
  return total;
}

std::vector<std::byte> image_of(const std::string& name) {
  const std::string content = test::content_of(fixture(name));
  const auto bytes = std::as_bytes(std::span(content));
  return {bytes.begin(), bytes.end()};
}

TEST(DamagedElf, ACutFileIsReadWithoutFault) {
  const auto image = image_of("marked.so");
  ASSERT_NE(read_all(image), 0u);
  for (std::size_t size = 0; size < image.size(); size += 7)
    read_all(std::vector(image.begin(), image.begin() + static_cast<std::ptrdiff_t>(size)));
}

void read_with_each_byte_changed(std::vector<std::byte> image, std::size_t from, std::size_t size) {
  for (std::size_t at = from; at < from + size; ++at) {
    const std::byte old = image[at];
    image[at] = at % 2 == 0 ? ~old : old ^ std::byte{0x10};
    read_all(image);
    image[at] = old;
  }
}

TEST(DamagedElf, AFileWithOneByteChangedIsReadWithoutFault) {
  const auto image = image_of("marked.so");
  read_with_each_byte_changed(image, 0, image.size());
}

TEST(DamagedElf, MiniDebuginfoWithOneByteChangedIsReadWithoutFault) {
  const auto image = image_of("mini.so");
  const std::size_t packed = test::offset_of(
      "\xfd"
      "7zXZ",
      fixture("mini.so"));
  read_with_each_byte_changed(image, packed, 500);
}

// Section headers of a 64-bit file have 64 bytes each and start at e_shoff. sh_entsize is the last field.
TEST(DamagedElf, ATableWithEntriesOfSizeZeroOrOfAbsurdSizeIsReadWithoutFault) {
  const auto whole = image_of("marked.so");
  std::uint64_t headers;
  std::memcpy(&headers, whole.data() + 0x28, sizeof headers);
  for (std::size_t header = headers; header + 64 <= whole.size(); header += 64) {
    for (const std::size_t field : {0x18, 0x20, 0x28, 0x38}) {  // sh_offset, sh_size, sh_link, sh_entsize
      for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
        auto image = whole;
        std::memcpy(image.data() + header + field, &value, sizeof value);
        read_all(std::move(image));
      }
    }
  }
}

}  // namespace
}  // namespace perfsift::symbolize
