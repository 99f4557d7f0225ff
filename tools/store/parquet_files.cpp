#include "tools/store/parquet_files.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/printable.h"
#include "output/files/output_file.h"
#include "output/files/run_files.h"
#include "store/open_store.h"
#include "store/parquet_rows.h"
#include "store/wanted_rows.h"
#include "tools/command.h"

namespace perfsift::tools {
namespace {

constexpr std::string_view number_mark = "%n";

std::string numbered(std::string path, std::size_t number) {
  if (const std::size_t at = path.find(number_mark); at != std::string::npos)
    path.replace(at, number_mark.size(), std::to_string(number));
  return path;
}

// Before the store is asked, which may take long.
void check_output(const store::StoreUrl& url, const std::string& output) {
  if (output::OutputFile::is_standard_output(output) && isatty(STDOUT_FILENO) == 1)
    throw UsageError("store export: Parquet is not for terminals; write it to a file with -o FILE, or to a pipe");
  if (url.servers.size() > 1 && output.find(number_mark) == std::string::npos) {
    throw UsageError(fmt::format("store export: {} servers have the rows, and each gives a file: -o 'NAME-%n.parquet'",
                                 url.servers.size()));
  }
  output::RunFiles files;
  if (!url.folder.empty()) files.reads(url.folder);
  for (std::size_t i = 0; i < std::max<std::size_t>(url.servers.size(), 1); ++i) files.writes(numbered(output, i + 1));
}

}  // namespace

void write_parquet(const store::StoreUrl& url, const std::string& output) {
  check_output(url, output);
  std::vector<std::string> files;
  {
    const auto engine = store::open_store(url, store::StoreUse::read);
    store::with_store_named(url, [&] {
      store::read_unchanged(*engine, url.selection, [&](const store::Selection& selection) {
        files = store::parquet_rows(*engine, selection);
      });
    });
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    write_output(numbered(output, i + 1), [&](output::OutputFile& file) { file.write(files[i]); });
  }
}

}  // namespace perfsift::tools
