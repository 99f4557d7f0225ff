#include "analysis/input/input_kind.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "analysis/input/folded_text.h"
#include "analysis/input/line_splitter.h"
#include "analysis/input/perf_script_text.h"
#include "analysis/input/pprof_profile.h"
#include "analysis/input/text_scan.h"
#include "base/error.h"

namespace perfsift::analysis {
namespace {

using namespace std::string_view_literals;

// PERFILE2, and PERFFILE of perf before 2.6.33, in both byte orders.
constexpr std::array recording_magics = {"PERFILE2"sv, "2ELIFREP"sv, "PERFFILE"sv, "ELIFFREP"sv};
// Their lines may end with numbers, as folded stacks do.
constexpr std::array markup_starts = {"<?xml"sv, "<svg"sv, "<!DOCTYPE"sv, "<!doctype"sv, "<html"sv};
constexpr std::array json_starts = {"{\""sv, "{\n"sv, "{}"sv, "{ "sv};
constexpr std::array callgrind_starts = {"# callgrind format"sv, "version: 1\ncreator: "sv};
// The words 0, 3 and 0 in front of a CPU profile, in both sizes and byte orders; the first lines of others.
constexpr std::array gperftools_starts = {"\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"sv,
                                          "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0"sv,
                                          "\0\0\0\0\3\0\0\0\0\0\0\0"sv,
                                          "\0\0\0\0\0\0\0\3\0\0\0\0"sv,
                                          "heap profile: "sv,
                                          "--- heapz "sv,
                                          "--- contention"sv,
                                          "--- growth"sv,
                                          "--- symbol\n"sv,
                                          "--- threadz "sv};
constexpr std::array container_magics = {"\x1f\x8b"sv, "\x28\xb5\x2f\xfd"sv, "\xfd\x37zXZ\0"sv,
                                         "perfsift-pack.json\0"sv};

template <typename Magics>
bool starts_with_any(std::string_view text, const Magics& magics) {
  return std::any_of(magics.begin(), magics.end(), [&](std::string_view magic) { return text.starts_with(magic); });
}

// The kind whose reader understands more of the text. A last line that the limit cuts is left out.
InputKind text_kind(std::string_view text) {
  PerfScriptText script([](const ScriptSample&) {});
  FoldedText folded([](const FoldedStack&) {});
  LineSplitter lines([&](std::string_view line) {
    script.line(line);
    folded.line(line);
  });
  lines.feed(text);
  const bool cut = text.size() == input_kind_bytes;
  if (!cut) lines.finish();
  script.finish();

  const std::uint64_t samples = script.stats().samples + script.stats().records;
  const std::uint64_t script_lines = samples == 0 ? 0 : script.stats().lines - script.stats().not_understood;
  if (std::max(script_lines, folded.stats().stacks) == 0) {
    // Stacks can be deeper than that: the first line ends, with its number, behind what was read.
    const bool cut_stack = cut && folded.stats().malformed == 0 && text.find(';', text.rfind('\n') + 1) != npos;
    return cut_stack ? InputKind::folded_text : InputKind::unknown;
  }
  return script_lines >= folded.stats().stacks ? InputKind::perf_script_text : InputKind::folded_text;
}

}  // namespace

InputKind input_kind(Bytes first) {
  const std::string_view text(reinterpret_cast<const char*>(first.data()), std::min(first.size(), input_kind_bytes));
  if (starts_with_any(text, recording_magics)) return InputKind::recording;
  if (starts_with_any(text, container_magics)) return InputKind::compressed;
  if (looks_like_pprof(std::as_bytes(std::span(text)), text.size() == input_kind_bytes)) return InputKind::pprof;
  const std::string_view written = without_mark(text);
  if (starts_with_any(written, markup_starts) || starts_with_any(written, json_starts)) return InputKind::unknown;
  if (starts_with_any(text, callgrind_starts) || starts_with_any(text, gperftools_starts)) return InputKind::unknown;
  if (text.find('\0') != npos) return InputKind::unknown;
  return text_kind(text);
}

std::string_view why_unusable(Bytes first) {
  const std::string_view text = without_mark({reinterpret_cast<const char*>(first.data()), first.size()});
  if (starts_with_any(text, markup_starts))
    return "is a picture or a page, which cannot be read again: give the file that it was made from";
  if (starts_with_any(text, json_starts))
    return "is JSON, which is for other programs: give the recording that it was made from";
  if (starts_with_any(text, callgrind_starts))
    return "is a profile of callgrind, which cannot be read: give the recording that it was made from, or use "
           "callgrind_annotate or kcachegrind";
  if (starts_with_any(text, gperftools_starts))
    return "is a profile of gperftools in a format from before profile.proto: convert it with pprof -proto "
           "-output=NEW.pb.gz PROGRAM FILE";
  if (text.starts_with("\x7f\x45LF"))
    return "is a program or a library: record it with perf record -g, and give perf.data";
  const bool is_text =
      std::ranges::none_of(text, [](unsigned char c) { return c < ' ' && c != '\t' && c != '\n' && c != '\r'; });
  if (!is_text)
    return "neither a recording of perf record, nor text of perf script, nor folded stacks, nor a profile of pprof";
  return "is text, but has no samples of perf script, and no folded stacks, which end with a number: main;work 12";
}

std::string_view kind_name(InputKind kind) {
  if (kind == InputKind::recording) return "a recording";
  if (kind == InputKind::pprof) return "a pprof profile";
  if (kind == InputKind::store) return "a store";
  return kind == InputKind::perf_script_text || kind == InputKind::folded_text ? "text" : "not known";
}

InputKind input_kind_of(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) return InputKind::recording;
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return InputKind::unknown;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("'" + path + "': cannot be opened; is it there, and may you read it?");
  std::vector<char> first(input_kind_bytes);
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  return input_kind(std::as_bytes(std::span(first).first(static_cast<std::size_t>(file.gcount()))));
}

}  // namespace perfsift::analysis
