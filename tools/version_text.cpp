#include "tools/version_text.h"

#include <string_view>
#include <vector>

#include <Zydis/Zydis.h>
#include <boost/version.hpp>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "base/version.h"
#include "record/events/libpfm_names.h"
#include "record/waits/wait_programs.h"
#include "store/clickhouse/http_post.h"
#include "symbolize/search/debuginfod.h"
#include "tools/instructions/instruction_decoder.h"

namespace perfsift::tools {
namespace {

struct NamedVersion {
  std::string_view name;
  std::string version;
};

#if defined(__clang__)
constexpr std::string_view compiler = "Clang " __clang_version__;
#else
constexpr std::string_view compiler = "GCC " __VERSION__;
#endif

std::string zydis_version() {
  const ZyanU64 version = ZydisGetVersion();
  return fmt::format("{}.{}.{}", ZYDIS_VERSION_MAJOR(version), ZYDIS_VERSION_MINOR(version),
                     ZYDIS_VERSION_PATCH(version));
}

// BOOST_VERSION and FMT_VERSION have two and three digits for the later parts.
std::vector<NamedVersion> libraries() {
  return {{"glibc", gnu_get_libc_version()},
          {"elfutils", dwfl_version(nullptr)},
          {"zlib", zlibVersion()},
          {"zstd", ZSTD_versionString()},
          {"liblzma", lzma_version_string()},
          {"Zydis", zydis_version()},
          {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
          {"Boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)}};
}

std::vector<NamedVersion> features() {
  const std::string no_debuginfod = symbolize::why_no_debuginfod(), no_bpf = record::WaitPrograms::why_missing();
  const std::string no_tls = store::clickhouse::why_no_tls();
  return {
      {"debuginfod", no_debuginfod.empty() ? "yes" : "no: " + no_debuginfod},
      {"libpfm", record::has_libpfm() ? "yes" : "no: names of vendors' events need libpfm.so.4 (apt install libpfm4)"},
      {"tls", no_tls.empty() ? "yes" : "no: " + no_tls},
      {"bpf", no_bpf.empty() ? "yes" : "no: " + no_bpf},
      {"disassembly", make_aarch64_decoder() != nullptr ? "x86, aarch64" : "x86: " + why_no_aarch64_decoder()}};
}

}  // namespace

std::string version_text(const std::string& commit) {
  std::string text = fmt::format("perfsift {}\ncommit {}\ncompiler {}\n", version(), commit, compiler);
  for (const NamedVersion& library : libraries()) text += fmt::format("library {} {}\n", library.name, library.version);
  for (const NamedVersion& feature : features()) text += fmt::format("feature {} {}\n", feature.name, feature.version);
  return text;
}

}  // namespace perfsift::tools
