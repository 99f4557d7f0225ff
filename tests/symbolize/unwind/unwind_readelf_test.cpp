// The unwind rules of whole binaries, compared with readelf's (--debug-dump=frames-interp).
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "symbolize/unwind/unwind_table.h"
#include "tests/symbolize/fixtures.h"

namespace perfsift::symbolize {
namespace {

using test::fixture;

// One line of a readelf table: "0000000000026006 rsp+24   c-16  c-8".
struct ReadelfRow {
  std::uint64_t start = 0, end = 0;
  std::map<std::string, std::string> columns;  // "CFA", names of registers, "ra"
};

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;)
    if (!word.starts_with('(')) words.push_back(word);  // "r1 (rdx)"
  return words;
}

std::vector<ReadelfRow> rows_of_readelf(const std::string& path) {
  const std::string command = "LC_ALL=C readelf --wide --debug-dump=frames-interp '" + path + "' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::vector<ReadelfRow> rows;
  std::vector<std::string> names;
  std::uint64_t end = 0;
  bool in_fde = false;
  std::array<char, 4096> buffer;
  while (fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get()) != nullptr) {
    const std::string line = buffer.data();
    const auto words = words_of(line);
    if (const auto pc = line.find(" pc="); pc != std::string::npos) {
      in_fde = true;
      end = std::stoull(line.substr(line.find("..", pc) + 2), nullptr, 16);
    } else if (words.empty()) {
      in_fde = false;
    } else if (words[0] == "LOC") {
      names.assign(words.begin() + 1, words.end());
    } else if (in_fde && words.size() == names.size() + 1) {
      const std::uint64_t start = std::stoull(words[0], nullptr, 16);
      if (!rows.empty() && rows.back().end > start && rows.back().start <= start) rows.back().end = start;
      rows.push_back({.start = start, .end = end, .columns = {}});
      for (std::size_t i = 0; i < names.size(); ++i) rows.back().columns[names[i]] = words[i + 1];
    }
  }
  return rows;
}

// The names of registers in readelf's tables, by DWARF number.
std::vector<std::string> names_of_registers(Architecture architecture) {
  if (architecture == Architecture::i386) return {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "ra"};
  if (architecture == Architecture::x86_64)
    return {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8",
            "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "ra"};
  std::vector<std::string> names;
  for (int i = 0; i < 31; ++i) names.push_back("x" + std::to_string(i));
  names.emplace_back("sp");
  return names;
}

std::string with_sign(std::int32_t value) { return (value < 0 ? "" : "+") + std::to_string(value); }

std::string text_of(const RegisterRule& rule) {
  switch (rule.how) {
    case Recovery::at_cfa_plus:
      return "c" + with_sign(rule.value);
    case Recovery::cfa_plus:
      return "v" + with_sign(rule.value);
    case Recovery::in_register:
      return "r" + std::to_string(rule.value);
    case Recovery::at_expression:
      return "exp";
    case Recovery::expression:
      return "vexp";
    case Recovery::undefined:
      return "u";
  }
  return "?";
}

// Our rules in readelf's format; registers without a rule are left out.
std::map<std::string, std::string> columns_of(const RuleTable& table, const FrameRule& rule,
                                              const std::vector<std::string>& names) {
  std::map<std::string, std::string> columns;
  if (rule.is(FrameRule::outermost)) return {{"ra", "u"}};
  if (rule.is(FrameRule::impossible)) return {{"CFA", "impossible"}};
  columns["CFA"] =
      rule.cfa_register == FrameRule::cfa_is_expression ? "exp" : names[rule.cfa_register] + with_sign(rule.cfa_offset);
  for (std::size_t i = 0; i < rule.register_count; ++i) {
    const RegisterRule& r = table.registers[rule.first_register + i];
    columns[r.number == rule.return_register ? "ra" : names[r.number]] = text_of(r);
  }
  return columns;
}

struct Comparison {
  std::size_t rows = 0, different = 0;
  std::string first_difference;
};

std::string join(const std::map<std::string, std::string>& columns) {
  std::string text;
  for (const auto& [name, value] : columns) text.append(name).append("=").append(value).append(" ");
  return text;
}

bool equal(const std::map<std::string, std::string>& expected, const std::map<std::string, std::string>& actual) {
  const auto in = [](const auto& columns, const std::string& name) {
    const auto found = columns.find(name);
    // readelf writes "u" for a register without an instruction, and "s" for DW_CFA_same_value.
    return found == columns.end() || found->second == "s" ? std::string("u") : found->second;
  };
  if (in(actual, "ra") == "u" && in(expected, "ra") == "u" && !actual.contains("CFA")) return true;
  for (const auto& [name, value] : expected)
    if (in(expected, name) != in(actual, name)) return false;
  for (const auto& [name, value] : actual)
    if (in(expected, name) != in(actual, name)) return false;
  return true;
}

Comparison compare(const std::string& path) {
  Missing why = Missing::none;
  const auto file = ElfFile::open(path, why);
  if (!file) return {};
  const UnwindTable binary(file, nullptr);
  const RuleTable table = binary.compile_all();
  const auto names = names_of_registers(*binary.architecture());
  Comparison result;
  for (const ReadelfRow& row : rows_of_readelf(path)) {
    if (row.start == row.end) continue;
    ++result.rows;
    for (const std::uint64_t address : {row.start, row.end - 1}) {
      const FrameRule* rule = table.find(static_cast<std::uint32_t>(address - binary.base()));
      const auto ours =
          rule == nullptr ? std::map<std::string, std::string>{{"CFA", "none"}} : columns_of(table, *rule, names);
      if (equal(row.columns, ours)) continue;
      if (result.different++ == 0) {
        std::ostringstream text;
        text << path << " at " << std::hex << address << ": readelf " << join(row.columns) << "; ours " << join(ours);
        result.first_difference = text.str();
      }
    }
  }
  return result;
}

class RulesOf : public testing::TestWithParam<std::string> {};

TEST_P(RulesOf, AreThoseOfReadelfInEveryRow) {
  if (!std::filesystem::exists(GetParam())) GTEST_SKIP() << "no " << GetParam();
  const Comparison result = compare(GetParam());
  EXPECT_GT(result.rows, 0u);
  EXPECT_EQ(result.different, 0u) << result.first_difference;
}

INSTANTIATE_TEST_SUITE_P(Fixtures, RulesOf,
                         testing::Values(fixture("frames.x86_64.so"), fixture("frames.i386.so"),
                                         fixture("frames.aarch64.so"), fixture("frames.debug_frame.so"),
                                         fixture("frames.compressed.so"), fixture("frames.dwarf64.so"),
                                         fixture("frames.no_header.so")));

// Binaries of the test machine.
INSTANTIATE_TEST_SUITE_P(ThisMachine, RulesOf,
                         testing::Values("/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2",
                                         "/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/usr/bin/perf", "/usr/bin/ld.lld",
                                         "/usr/lib/x86_64-linux-gnu/libm.so.6"));

}  // namespace
}  // namespace perfsift::symbolize
