// Who may include whom.
//
// The reader, the symbolizer and the filter's core do not know each other; they meet in the dlfilter host and in
// the tools. That is true only as long as no #include says otherwise, so this test reads them all.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

#include "tests/support/paths.h"
#include "tests/support/temporary.h"

namespace perfsift {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Layer {
  std::string_view folder;
  std::vector<std::string_view> may_include;
};

// A file belongs to the first layer whose folder it is in.
const std::vector<Layer> layers = {
    {"base/", {"base/"}},
    {"reader/", {"base/", "reader/"}},
    {"symbolize/", {"base/", "symbolize/"}},
    {"dlfilters/core/", {"base/", "dlfilters/core/"}},
    // Modules: what a command does, inside perf.
    {"dlfilters/perfsift_", {"base/", "reader/", "dlfilters/", "tools/"}},
    {"dlfilters/module/", {"base/", "reader/", "symbolize/", "dlfilters/", "tools/"}},
    {"dlfilters/", {"base/", "reader/", "symbolize/", "dlfilters/"}},
    {"tools/", {"base/", "reader/", "symbolize/", "dlfilters/", "tools/"}},
};

bool is_source(const fs::path& path) { return path.extension() == ".h" || path.extension() == ".cpp"; }

// "file: included", for every quoted #include that leaves its layer. A path that does not start at the
// repository's root ("../reader/record.h") leaves it too.
std::vector<std::string> forbidden_includes(const fs::path& root, const fs::path& file) {
  const std::string name = file.lexically_relative(root).string();
  const auto layer = std::ranges::find_if(layers, [&](const Layer& l) { return name.starts_with(l.folder); });
  static const std::regex include(R"re(^\s*#\s*include\s*"([^"]*)")re");

  std::vector<std::string> found;
  std::ifstream in(file);
  std::smatch match;
  for (std::string line; std::getline(in, line);) {
    if (!std::regex_search(line, match, include)) continue;
    const std::string included = match[1];
    const auto allows = [&](std::string_view folder) { return included.starts_with(folder); };
    if (std::ranges::none_of(layer->may_include, allows)) found.push_back(name + ": " + included);
  }
  return found;
}

std::vector<std::string> forbidden_includes(const fs::path& root) {
  std::vector<std::string> found;
  for (const Layer& layer : layers) {
    if (layer.folder == "dlfilters/core/" || !fs::exists(root / layer.folder)) continue;  // core/ is below dlfilters/
    for (const auto& entry : fs::recursive_directory_iterator(root / layer.folder)) {
      if (entry.is_regular_file() && is_source(entry.path())) {
        std::ranges::move(forbidden_includes(root, entry.path()), std::back_inserter(found));
      }
    }
  }
  std::ranges::sort(found);
  return found;
}

TEST(Includes, StayInTheirLayer) { EXPECT_THAT(forbidden_includes(test::source_path("")), IsEmpty()); }

TEST(Includes, AreFoundWhereTheyLeaveTheirLayer) {
  const test::TemporaryDirectory tree;
  tree.write("base/error.h", "#include \"reader/record.h\"\n");
  tree.write("reader/record.cpp", "#include \"reader/record.h\"\n  #  include \"symbolize/symbolizer.h\"\n");
  tree.write("reader/records/comm.cpp", "#include \"../record.h\"\n#include \"base/error.h\"\n");
  tree.write("symbolize/elf.cpp", "#include \"tests/support/bytes.h\"\n");
  tree.write("dlfilters/core/parse.cpp", "#include \"reader/sample.h\"\n");
  tree.write("dlfilters/host/host.cpp", "#include \"reader/sample.h\"\n#include \"tools/command.h\"\n");
  tree.write("tools/main.cpp", "#include \"reader/sample.h\"\n#include \"symbolize/symbolizer.h\"\n");
  EXPECT_THAT(forbidden_includes(tree.path()),
              ElementsAre("base/error.h: reader/record.h", "dlfilters/core/parse.cpp: reader/sample.h",
                          "dlfilters/host/host.cpp: tools/command.h", "reader/record.cpp: symbolize/symbolizer.h",
                          "reader/records/comm.cpp: ../record.h", "symbolize/elf.cpp: tests/support/bytes.h"));
}

}  // namespace
}  // namespace perfsift
