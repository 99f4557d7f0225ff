// A packed recording has the files of kernel modules, which not every machine has loaded: a compressed module with
// lines, and one that the kernel's list alone knows. The module is compiled like a real one.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools::packing_modules {  // a unity build compiles other tests in the same file
namespace {

using reader::RecordType;
using ::testing::HasSubstr;

constexpr std::uint64_t kernel_text = 0xffffffff81000000, module_text = 0xffffffffc0000000,
                        listed_module = 0xffffffffc0100000;
constexpr const char* module_path = "/lib/modules/6.1.0-test/kernel/module.ko.xz";

// The first instruction of `work` is in the inlined call.
constexpr std::string_view module_source = R"(static inline __attribute__((always_inline)) void helper(void) {
  asm volatile("nop; nop; nop; nop");
}
__attribute__((noinline)) void work(void) {
  helper();
}
)";
constexpr std::string_view kernel_list =
    "ffffffff81000000 T _text\n"
    "ffffffff81000000 T _stext\n"
    "ffffffff81000100 T read_in_kernel\n"
    "ffffffffc0100000 t read_in_listed\t[listed]\n";

std::vector<std::byte> recording() {
  test::RecordingBuilder in;
  in.timed_event();
  in.kernel_map_at(1, kernel_text, 0x1000000, kernel_text, "[kernel.kallsyms]_stext");
  in.kernel_map_at(2, module_text, 0x4000, 0, module_path);
  in.kernel_map_at(3, listed_module, 0x4000, 0, "[listed]");
  in.comm_at(4, 7, "app");
  std::uint64_t time = 5;
  for (const std::uint64_t address : {kernel_text + 0x104, module_text + 1, listed_module + 4})
    in.record(RecordType::sample, in.bytes().u64(address).u32(7).u32(7).u64(++time), test::kernel_mode);
  return in.file();
}

// Headings have the path of the recording.
std::string without_path(std::string text, const std::string& path) {
  for (std::size_t at = 0; (at = text.find(path, at)) != std::string::npos;) text.replace(at, path.size(), "RECORDING");
  return text;
}

class PackModules : public testing::Test {
 protected:
  void SetUp() override {
    folder.write("a.c", module_source);
    const std::string made = fmt::format(
        "cd {0} && gcc -c -g -O2 -fno-pic -fcf-protection=none a.c -o a.o && ld -r --build-id=sha1 a.o -o "
        "module.ko && xz -0 module.ko && mkdir -p there{2} && mv module.ko.xz there{1}",
        folder.path().string(), module_path, std::filesystem::path(module_path).parent_path().string());
    ASSERT_EQ(std::system(made.c_str()), 0);
    input = folder.write("kernel.data", recording());
    list = folder.write("list", kernel_list);
  }
  Outcome here(const std::string& command, std::vector<std::string> words) const {
    for (const std::string& word :
         {std::string("--no-cache"), std::string("--symfs"), symfs, std::string("--kallsyms"), list, input})
      words.push_back(word);
    return run_command(command, words);
  }

  const test::TemporaryDirectory folder;
  const std::string symfs = (folder.path() / "there").string();
  std::string input, list;
};

TEST_F(PackModules, ShowTheSameWithoutTheirFiles) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> commands = {
      {"fold", {}}, {"report", {"--limit", "0", "--sort", "sym,srcline"}}, {"script", {"-F", "+srcline"}}};
  std::vector<Outcome> expected;
  for (const auto& [command, words] : commands) expected.push_back(here(command, words));
  EXPECT_THAT(expected[0].out, HasSubstr("work;helper 1"));
  EXPECT_THAT(expected[0].out, HasSubstr("read_in_listed 1"));
  EXPECT_THAT(expected[0].out, HasSubstr("read_in_kernel 1"));
  EXPECT_THAT(expected[1].out, HasSubstr("a.c:2"));

  for (const bool names_only : {false, true}) {
    const std::string packed = (folder.path() / "packed" / (names_only ? "names" : "files") / "kernel.data").string();
    std::filesystem::create_directories(std::filesystem::path(packed).parent_path());
    std::vector<std::string> words = {"-o", packed};
    if (names_only) words.emplace_back("--names-only");
    ASSERT_EQ(here("pack", words).status, done);
  }
  std::filesystem::remove_all(symfs);
  std::filesystem::remove(list);
  for (const char* const kind : {"files", "names"}) {
    const std::string packed = (folder.path() / "packed" / kind / "kernel.data").string();
    for (std::size_t i = 0; i < commands.size(); ++i) {
      std::vector<std::string> words = commands[i].second;
      words.push_back(packed);
      const Outcome actual = run_command(commands[i].first, words);
      EXPECT_EQ(without_path(actual.out, packed), without_path(expected[i].out, input))
          << kind << ' ' << commands[i].first;
      EXPECT_EQ(without_path(actual.err, packed), without_path(expected[i].err, input))
          << kind << ' ' << commands[i].first;
    }
  }
}

}  // namespace
}  // namespace perfsift::tools::packing_modules
