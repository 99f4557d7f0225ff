#include "symbolize/cache/symbol_cache.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <lzma.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbolize/elf/elf_file.h"
#include "symbolize/symbols/cached_symbols.h"
#include "symbolize/unwind/unwind_tables.h"
#include "tests/support/temporary.h"
#include "tests/symbolize/dwarf/frames.h"
#include "tests/symbolize/fixtures.h"

namespace perfsift::symbolize {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

// Two units. One has an inlined call.
constexpr std::string_view first_source = R"(
static inline __attribute__((always_inline)) int inner(int x) {
  asm volatile("nop" : "+r"(x));
  return x * 3;
}
extern "C" __attribute__((noinline)) int outer(int x) { return inner(x) + 2; }
)";
constexpr std::string_view second_source = R"(
extern "C" int other(int x) { return x * 7; }
)";

// The first part of a cache file, behind its header: its length, and a description of the file's origin.
std::string origin_in(const std::string& content) {
  constexpr std::size_t header_size = 40;
  std::uint64_t size = 0;
  std::memcpy(&size, &content[header_size], sizeof size);
  return content.substr(header_size + sizeof size, size);
}

// All answers about a file, for each byte of its code.
struct Answers {
  std::vector<std::string> texts;
  std::size_t with_frames = 0;

  bool operator==(const Answers&) const = default;
};

class CachedLibrary : public testing::Test {
 protected:
  void SetUp() override {
    directory.write("first.cc", first_source);
    directory.write("second.cc", second_source);
    build("");
  }

  // A small library, without start code and C library.
  void build(const std::string& flags) {
    ASSERT_TRUE(
        run("c++ -g -O1 -fPIC -shared -nostdlib -Wl,--build-id=sha1 " + flags + " first.cc second.cc -o library.so"));
  }
  bool run(const std::string& command) const {
    return std::system(("cd " + directory.path().string() + " && " + command + " 2>errors").c_str()) == 0;
  }
  std::string in(const std::string& name) const { return directory.path() / name; }
  std::string library() const { return in("library.so"); }
  std::string folder() const { return in("cache"); }

  SymbolizeOptions options(bool cached = true, std::uint64_t limit = SymbolCache::default_limit) const {
    SymbolizeOptions options = test::nowhere_else();
    options.debug_dirs = {in("debug")};
    if (cached) options.cache = std::make_shared<SymbolCache>(folder(), limit);
    return options;
  }

  struct Code {
    std::uint64_t address = 0, offset = 0, size = 0;
  };
  Code code() const {
    Missing why = Missing::none;
    const auto file = ElfFile::open(library(), why);
    const auto* text = file->section(".text");
    return {text->header.sh_addr, text->header.sh_offset, text->header.sh_size};
  }

  Answers ask(const SymbolizeOptions& with) const { return ask(with, code()); }
  Answers ask(const SymbolizeOptions& with, const Code& where) const {
    Symbolizer symbolizer(with);
    const Binary binary{.path = library()};
    const SymbolFile& names = symbolizer.file(binary);
    const UnwindTable& rules = symbolizer.unwind_tables().table(binary);
    Answers answers;
    for (std::uint64_t i = 0; i < where.size; ++i) {
      std::vector<SourceFrame> frames;
      names.append_source_frames(where.offset + i, frames);
      std::string text = test::name_at(names, where.offset + i);
      for (const std::string& frame : test::texts_of(frames)) text += ", " + frame;
      const auto [table, rule] = rules.find(where.address + i);
      if (rule != nullptr) text += ", CFA is " + std::to_string(rule->cfa_register) + std::to_string(rule->cfa_offset);
      answers.texts.push_back(text);
      answers.with_frames += !frames.empty();
    }
    return answers;
  }

  std::vector<std::string> kept() const {
    std::vector<std::string> paths;
    if (!fs::is_directory(folder())) return paths;
    for (const auto& entry : fs::directory_iterator(folder())) paths.push_back(entry.path());
    return paths;
  }
  void restore(const std::string& path, const std::string& content) const {
    directory.write(fs::relative(path, directory.path()), content);
  }
  // Overwrites a section with zeros. The size and the time of the last write stay the same.
  void wipe_unseen(const std::string& section) const {
    std::size_t offset = 0, size = 0;
    {
      Missing why = Missing::none;
      const auto file = ElfFile::open(library(), why);
      offset = file->section(section)->header.sh_offset;
      size = file->section(section)->header.sh_size;
    }
    const auto time = fs::last_write_time(library());
    std::string content = test::content_of(library());
    std::fill_n(content.begin() + static_cast<std::ptrdiff_t>(offset), size, '\0');
    restore(library(), content);
    fs::last_write_time(library(), time);
  }
  // Overwrites a section with zeros, and changes the cache files as if they were made from the new content. So only the
  // file itself gives other answers now.
  void wipe_but_keep(const std::string& section) const {
    const std::vector<CacheKey> before = keys();
    wipe_unseen(section);
    const std::vector<CacheKey> after = keys();
    for (std::size_t kind = 0; kind < before.size(); ++kind) {
      const auto file = CacheFile::open(folder() + '/' + before[kind].file_name, before[kind].origin);
      if (!file) continue;
      CacheFileWriter writer(folder() + '/' + after[kind].file_name, after[kind].origin, SymbolCache::default_limit);
      for (std::size_t part = 1; part < file->part_count(); ++part) writer.add_unchanged(*file, part);
      writer.commit();
    }
  }
  // The keys of everything that the cache has for the library.
  std::vector<CacheKey> keys() const {
    Missing why = Missing::none;
    const auto file = ElfFile::open(library(), why);
    const auto* const same = file.get();
    return {cache_key(options(), "symbols", {same, same}).value(),
            cache_key(options(), "debug_info", {same, nullptr}).value(),
            cache_key(options(), "unwind_rules", {same, same}).value()};
  }

  test::TemporaryDirectory directory;
};

TEST_F(CachedLibrary, AnswersAreTheSameWithoutACacheAndWithAnEmptyAndAFullOne) {
  const Answers expected = ask(options(false));
  EXPECT_EQ(expected.with_frames, expected.texts.size());
  EXPECT_THAT(kept(), IsEmpty());
  EXPECT_EQ(ask(options()), expected);
  EXPECT_THAT(kept(), SizeIs(3));  // symbols, debug information, unwind rules
  EXPECT_EQ(ask(options()), expected);
}

TEST_F(CachedLibrary, WhatIsKeptIsNotReadAgain) {
  const Code where = code();
  const Answers expected = ask(options());
  for (const char* section : {".debug_info", ".debug_line", ".debug_str", ".symtab", ".eh_frame"})
    wipe_but_keep(section);
  EXPECT_EQ(ask(options(), where), expected);
  EXPECT_EQ(ask(options(false), where).with_frames, 0u);
}

TEST_F(CachedLibrary, UnitsThatAreAskedForLaterAreAddedToThoseThatAreThere) {
  const Code where = code();
  const Answers expected = ask(options(false));
  Code first = where, second = where;
  first.size = 1;
  second.offset += where.size - 1;
  second.address += where.size - 1;
  second.size = 1;
  ask(options(), first);
  ask(options(), second);
  wipe_but_keep(".debug_info");
  EXPECT_THAT(ask(options(), first).texts, ElementsAre(expected.texts.front()));
  EXPECT_THAT(ask(options(), second).texts, ElementsAre(expected.texts.back()));
}

TEST_F(CachedLibrary, EveryByteOfTheCacheMayBeDamaged) {
  const Code where = code();
  const Answers expected = ask(options());
  for (const std::string& path : kept()) {
    const std::string content = test::content_of(path);
    for (std::size_t i = 0; i < content.size(); ++i) {
      std::string damaged = content;
      damaged[i] = static_cast<char>(~damaged[i]);
      restore(path, damaged);
      ASSERT_EQ(ask(options(), where), expected) << path << " at " << i;
      restore(path, content);
    }
  }
}

TEST_F(CachedLibrary, TheCacheMayEndAnywhere) {
  const Code where = code();
  const Answers expected = ask(options());
  for (const std::string& path : kept()) {
    const std::string content = test::content_of(path);
    for (std::size_t size = 0; size < content.size(); size += 7) {
      restore(path, content.substr(0, size));
      ASSERT_EQ(ask(options(), where), expected) << path << " cut to " << size;
      restore(path, content);
    }
  }
}

// The checksums are right, but the tables are wrong. Names may be wrong, but no invalid memory may be read.
TEST_F(CachedLibrary, TablesThatLieDoNoHarm) {
  const Code where = code();
  ask(options());
  for (const std::string& path : kept()) {
    const std::string content = test::content_of(path);
    const std::string origin = origin_in(content);
    const auto good = CacheFile::open(path, origin);
    ASSERT_NE(good, nullptr);
    for (std::size_t part = 1; part < good->part_count(); ++part) {
      for (std::size_t word = 0; word < good->part(part).size() / 4; ++word) {
        for (const std::uint32_t lie : {0xffffffffu, 0x7fffffffu, 1000u}) {
          const Bytes bytes = good->part(part);
          std::vector<std::byte> lying(bytes.begin(), bytes.end());
          std::memcpy(lying.data() + 4 * word, &lie, sizeof lie);
          CacheFileWriter writer(path, origin, SymbolCache::default_limit);
          for (std::size_t i = 1; i < good->part_count(); ++i)
            if (i == part)
              writer.add(lying);
            else
              writer.add_unchanged(*good, i);
          writer.commit();
          ASSERT_THAT(ask(options(), where).texts, SizeIs(where.size));
        }
      }
    }
    restore(path, content);
  }
}

TEST_F(CachedLibrary, TablesOfAnotherVersionAreNotUsed) {
  constexpr std::size_t version_offset = 8, checksum_offset = 32;
  ask(options());
  const std::string path = kept().front();
  std::string content = test::content_of(path);
  const std::string origin = origin_in(content);
  const auto write_version = [&](std::uint32_t version) {
    std::memcpy(&content[version_offset], &version, sizeof version);
    const std::uint64_t sum = lzma_crc64(reinterpret_cast<const std::uint8_t*>(content.data()), checksum_offset, 0);
    std::memcpy(&content[checksum_offset], &sum, sizeof sum);
    restore(path, content);
  };
  write_version(CacheFile::version + 1);
  EXPECT_EQ(CacheFile::open(path, origin), nullptr);
  write_version(CacheFile::version);
  EXPECT_NE(CacheFile::open(path, origin), nullptr);
  EXPECT_EQ(CacheFile::open(path, origin + "0"), nullptr);  // has another origin
}

TEST_F(CachedLibrary, ADebugFileThatComesOrGoesIsNoticed) {
  const Answers expected = ask(options(false));
  ASSERT_TRUE(run("cp library.so whole.so && strip library.so"));
  const Code where = code();
  EXPECT_EQ(ask(options(), where).with_frames, 0u);
  EXPECT_EQ(ask(options(), where).with_frames, 0u);

  Missing why = Missing::none;
  const std::string id = ElfFile::open(library(), why)->build_id().hex();
  const std::string place = "debug/.build-id/" + id.substr(0, 2);
  ASSERT_TRUE(run("mkdir -p " + place + " && mv whole.so " + place + "/" + id.substr(2) + ".debug"));
  EXPECT_EQ(ask(options(), where), expected);
  EXPECT_EQ(ask(options(), where), expected);
  ASSERT_TRUE(run("rm -r debug"));
  EXPECT_EQ(ask(options(), where).with_frames, 0u);
}

TEST_F(CachedLibrary, AFileThatWasWrittenToIsReadAgain) {
  const Code where = code();
  ASSERT_NE(ask(options(), where).with_frames, 0u);
  wipe_unseen(".debug_info");
  wipe_unseen(".debug_line");
  EXPECT_EQ(ask(options(), where).with_frames, 0u);
}

// A forged copy in another folder, with other names, but with the file's build id, size and time.
TEST_F(CachedLibrary, NamesOfAFileThatIsMadeToLookLikeItNeverComeBackForIt) {
  const Code where = code();
  const Answers expected = ask(options(false));
  ASSERT_TRUE(run("mkdir -p away/" + directory.path().string() + " && cp -p library.so away/library.so"));
  std::string content = test::content_of(library());
  for (std::size_t at = content.find("outer"); at != std::string::npos; at = content.find("outer", at + 1))
    content.replace(at, 5, "evils");
  const std::string forged = in("away" + library());
  restore(forged, content);
  fs::last_write_time(forged, fs::last_write_time(library()));

  SymbolizeOptions elsewhere = options();
  elsewhere.symfs = in("away");
  const auto is_forged = [](const std::string& text) { return text.find("evils") != std::string::npos; };
  EXPECT_TRUE(std::ranges::any_of(ask(elsewhere, where).texts, is_forged));
  EXPECT_EQ(ask(options(), where), expected);
  EXPECT_TRUE(std::ranges::any_of(ask(elsewhere, where).texts, is_forged));
  EXPECT_EQ(ask(options(), where), expected);

  // The names must also disappear after the forged copy was in the place of the file.
  ASSERT_TRUE(run("cp -p library.so genuine.so && cp -p " + forged + " library.so"));
  EXPECT_TRUE(std::ranges::any_of(ask(options(), where).texts, is_forged));
  ASSERT_TRUE(run("mv genuine.so library.so"));
  EXPECT_EQ(ask(options(), where), expected);
}

// Even the same file is not shared.
TEST_F(CachedLibrary, WhatLiesBelowASymfsSharesNothingWithWhatLiesElsewhere) {
  const Code where = code();
  ask(options(), where);
  EXPECT_THAT(kept(), SizeIs(3));
  SymbolizeOptions below = options();
  below.symfs = "/";
  ask(below, where);
  EXPECT_THAT(kept(), SizeIs(6));
  below.symfs = "/usr/..";
  ask(below, where);
  EXPECT_THAT(kept(), SizeIs(6));
  below.symfs = in("nothing");
  EXPECT_FALSE(cache_key(below, "symbols", "name", "").has_value());
}

TEST_F(CachedLibrary, AFolderOrFileThatOthersMayWriteIsNotUsed) {
  const Code where = code();
  const Answers expected = ask(options());
  for (const char* section : {".debug_info", ".debug_line"}) wipe_but_keep(section);
  ASSERT_EQ(ask(options(), where), expected);
  for (const fs::perms others : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(folder(), others, fs::perm_options::add);
    EXPECT_EQ(ask(options(), where).with_frames, 0u);
    fs::permissions(folder(), others, fs::perm_options::remove);
    ASSERT_EQ(ask(options(), where), expected);
  }
  for (const std::string& path : kept()) fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(ask(options(), where).with_frames, 0u);
}

TEST_F(CachedLibrary, InAFolderThatOthersMayWriteNothingIsKept) {
  fs::create_directory(folder());
  fs::permissions(folder(), fs::perms::all);
  ask(options());
  EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(CachedLibrary, ASplitUnitThatWasNotThereIsLookedForAgain) {
  build("-gsplit-dwarf");
  ASSERT_TRUE(run("mkdir away && mv *.dwo away"));
  const auto named = [](const Answers& answers) {
    return std::ranges::any_of(answers.texts,
                               [](const std::string& text) { return text.find(", inlined") != std::string::npos; });
  };
  EXPECT_FALSE(named(ask(options())));
  ASSERT_TRUE(run("mv away/*.dwo ."));
  const Answers expected = ask(options());
  EXPECT_TRUE(named(expected));
  EXPECT_EQ(ask(options()), expected);
  // Split units with other names that claim to belong to the same unit, and then no split units.
  ASSERT_TRUE(
      run("mkdir genuine && cp -p *.dwo genuine && sed -i s/inner/other/ *.dwo && "
          "for f in *.dwo; do touch -r genuine/$f $f; done"));
  EXPECT_NE(ask(options()), expected);
  ASSERT_TRUE(run("rm *.dwo"));
  EXPECT_FALSE(named(ask(options())));
}

TEST_F(CachedLibrary, OfAFileWithoutABuildIdNothingIsKept) {
  build("-Wl,--build-id=none");
  const Answers expected = ask(options(false));
  EXPECT_EQ(ask(options()), expected);
  EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(CachedLibrary, WhereNothingCanBeKeptTheAnswersAreTheSame) {
  const Answers expected = ask(options(false));
  EXPECT_EQ(ask(options(true, 100)), expected);  // larger than the limit
  EXPECT_THAT(kept(), IsEmpty());
  fs::remove_all(folder());
  directory.write("cache", "a file where the folder should be");
  EXPECT_EQ(ask(options()), expected);
}

TEST_F(CachedLibrary, ManyProcessesMayWriteAndReadAtOnce) {
  const Code where = code();
  const Answers expected = ask(options(false));
  constexpr int processes = 4, rounds = 25;
  std::vector<pid_t> children;
  for (int i = 0; i < processes; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      bool right = true;
      for (int round = 0; round < rounds; ++round) {
        right = right && ask(options(), where) == expected;
        std::error_code others_write_to_it;
        if (round % processes == i) fs::remove_all(folder(), others_write_to_it);
      }
      _exit(right ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  for (const std::string& path : kept()) EXPECT_EQ(fs::path(path).extension(), ".tables");
}

class CacheFolder : public testing::Test {
 protected:
  // A file of about 10 KB.
  void keep(SymbolCache& cache, const std::string& name) const {
    const std::vector<std::byte> part(10'000);
    cache.write_later({name + ".tables", name}, [&](CacheFileWriter& writer) { return writer.add(part), true; });
    cache.write_all();
  }
  void set_age(const std::string& file, std::chrono::hours age) const {
    fs::last_write_time(directory.path() / file, fs::file_time_type::clock::now() - age);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory.path())) names.push_back(entry.path().filename());
    return names;
  }

  test::TemporaryDirectory directory;
};

TEST_F(CacheFolder, WhatWasNotUsedForTheLongestTimeGoesFirst) {
  SymbolCache cache(directory.path(), 35'000);
  for (const char* name : {"a", "b", "c"}) keep(cache, name);
  set_age("a.tables", std::chrono::hours(5));
  set_age("b.tables", std::chrono::hours(9));
  set_age("c.tables", std::chrono::hours(7));
  EXPECT_NE(cache.find({"b.tables", "b"}), nullptr);
  keep(cache, "d");
  EXPECT_THAT(names(), UnorderedElementsAre("a.tables", "b.tables", "d.tables"));
}

TEST_F(CacheFolder, FilesOfOthersStayAndAbandonedOnesGo) {
  for (const char* name : {"old.tables.x.new", "young.tables.x.new", "README"}) directory.write(name, "text");
  set_age("old.tables.x.new", std::chrono::hours(2));
  set_age("README", std::chrono::hours(999));
  SymbolCache cache(directory.path(), 15'000);
  keep(cache, "a");
  EXPECT_THAT(names(), UnorderedElementsAre("README", "young.tables.x.new", "a.tables"));
}

// Covers all forms of files in these tests: stripped files, mini debug information, other processors, compressed CFI.
TEST(SymbolCacheOfFixtures, NamesAndRulesAreTheSameWhenTheyComeFromTheCache) {
  const test::TemporaryDirectory directory;
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(PERFSIFT_SYMBOLIZE_FIXTURES)) {
    const Binary binary{.path = entry.path()};
    const auto told = [&](bool cached) {
      SymbolizeOptions options = test::nowhere_else();
      if (cached) options.cache = std::make_shared<SymbolCache>(directory.path(), SymbolCache::default_limit);
      Symbolizer symbolizer(options);
      const SymbolFile& names = symbolizer.file(binary);
      std::vector<std::string> lines = {std::string(describe(names.why_missing()))};
      for (const Symbol& symbol : names.symbols())
        lines.push_back(std::to_string(symbol.start) + ' ' + std::to_string(symbol.end) + ' ' +
                        std::to_string(static_cast<int>(symbol.binding)) + ' ' + std::string(symbol.name) + ' ' +
                        test::name_at(names, symbol.end - 1));
      const UnwindTable& rules = symbolizer.unwind_tables().table(binary);
      for (std::uint64_t address = rules.base(); rules.function_count() != 0 && address < rules.base() + 0x6000;
           ++address)
        if (const auto [table, rule] = rules.find(address); rule != nullptr) {
          lines.push_back(std::to_string(address) + ": " + std::to_string(rule->cfa_offset) + ' ' +
                          std::to_string(rule->cfa_register) + ' ' + std::to_string(rule->flags));
          for (std::size_t i = 0; i < rule->register_count; ++i)
            lines.push_back(std::to_string(table->registers[rule->first_register + i].value));
        }
      return lines;
    };
    const auto expected = told(false);
    files += expected.size() > 1;
    EXPECT_EQ(told(true), expected) << entry.path();
    EXPECT_EQ(told(true), expected) << entry.path();
  }
  EXPECT_GE(files, 5u);
}

// The running kernel.
class CachedKernel : public testing::Test {
 protected:
  void SetUp() override {
    kernel_.kind = BinaryKind::kernel;
    kernel_.path = "[kernel.kallsyms]";
    kernel_.same_kernel = true;
    plain_ = symbols(kernel_, false);
    if (plain_.empty()) GTEST_SKIP() << "/proc/kallsyms hides its addresses";
  }

  std::vector<std::string> symbols(const Binary& binary, bool cached = true) const {
    SymbolizeOptions options = test::nowhere_else();
    if (cached) options.cache = std::make_shared<SymbolCache>(directory_.path(), SymbolCache::default_limit);
    Symbolizer symbolizer(options);
    const SymbolFile& names = symbolizer.file(binary);
    std::vector<std::string> found;
    for (const Symbol& symbol : names.symbols()) found.push_back(fmt::format("{:x} {}", symbol.start, symbol.name));
    EXPECT_TRUE(found.empty() || names.source() == "/proc/kallsyms");
    return found;
  }

  std::vector<fs::path> kept() const { return {fs::directory_iterator(directory_.path()), fs::directory_iterator()}; }

  test::TemporaryDirectory directory_;
  Binary kernel_;
  std::vector<std::string> plain_;
};

TEST_F(CachedKernel, ItsSymbolsAreKeptForThisBoot) {
  EXPECT_EQ(symbols(kernel_), plain_);
  ASSERT_THAT(kept(), SizeIs(1));
  EXPECT_EQ(symbols(kernel_), plain_);

  const std::string path = kept().front();
  const std::string origin = origin_in(test::content_of(path));
  std::string boot = test::content_of("/proc/sys/kernel/random/boot_id");
  EXPECT_THAT(origin, testing::HasSubstr(boot.substr(0, boot.find('\n'))));
  SymbolTable other;
  other.add({0x1000, 0x2000, "kept", Binding::global});
  other.finish();
  CacheFileWriter writer(path, origin, SymbolCache::default_limit);
  write_symbols(other, writer);
  writer.commit();
  EXPECT_THAT(symbols(kernel_), ElementsAre("1000 kept"));
}

TEST_F(CachedKernel, ARecordingOfAnotherBootHasItElsewhere) {
  symbols(kernel_);
  Binary shifted = kernel_;
  const auto is_schedule = [](const std::string& line) { return line.ends_with(" schedule"); };
  const auto schedule = std::ranges::find_if(plain_, is_schedule);
  ASSERT_NE(schedule, plain_.end());
  shifted.reference_symbol = "schedule";
  shifted.reference_address = std::stoull(*schedule, nullptr, 16) - 0x200000;
  const auto expected = symbols(shifted, false);
  EXPECT_NE(expected, plain_);
  EXPECT_EQ(symbols(shifted), expected);
  EXPECT_EQ(symbols(shifted), expected);
  EXPECT_THAT(kept(), SizeIs(2));
}

// The copy of perf record: ~/.debug/[kernel.kallsyms]/BUILD_ID/kallsyms.
TEST(CachedKernelOfBuildIdCache, ItsSymbolsAreKeptUntilTheFileChanges) {
  const test::TemporaryDirectory directory;
  const std::array<std::byte, 20> bytes{std::byte{0x12}, std::byte{0x34}};
  const BuildId id(bytes);
  const fs::path cache = directory.path() / "cache";
  const fs::path path = directory.path() / "debug/[kernel.kallsyms]" / id.hex() / "kallsyms";
  fs::create_directories(path.parent_path());
  const auto list = [&](std::string_view name) {
    std::ofstream(path) << "ffffffff81000000 T _text\nffffffff81000100 T " << name << "\nffffffff81000200 T _etext\n";
  };
  Binary kernel{.path = "[kernel.kallsyms]", .build_id = id, .kind = BinaryKind::kernel};
  const auto name = [&] {
    SymbolizeOptions options = test::nowhere_else();
    options.build_id_dir = directory.path() / "debug";
    options.cache = std::make_shared<SymbolCache>(cache, SymbolCache::default_limit);
    Symbolizer symbolizer(options);
    const SymbolFile& names = symbolizer.file(kernel);
    EXPECT_EQ(names.source(), path);
    const Symbol* const symbol = names.find(0xffffffff81000110);
    return symbol != nullptr ? std::string(symbol->name) : "";
  };
  const auto kept = [&] { return std::distance(fs::directory_iterator(cache), fs::directory_iterator()); };

  list("first");
  EXPECT_EQ(name(), "first");
  EXPECT_EQ(kept(), 1);
  EXPECT_EQ(name(), "first");
  EXPECT_EQ(kept(), 1);
  list("another");
  EXPECT_EQ(name(), "another");
  EXPECT_EQ(kept(), 2);
}

}  // namespace
}  // namespace perfsift::symbolize
