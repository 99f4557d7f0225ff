// Who may include whom: arrows only go down.
//
//   base < reader, symbolize, filter < analysis/samples < analysis < output < options < dlfilters < tools
//
// The reader, the symbolizer and the filter do not know each other. There are no exceptions.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
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

// From the bottom up. Folders of one height do not know each other.
const std::vector<std::vector<std::string_view>> heights = {
    {"base/"},
    {"reader/", "symbolize/", "filter/"},
    {"analysis/samples/"},
    {"analysis/"},
    {"output/"},
    {"options/"},
    {"dlfilters/"},
    {"tools/"},
};

struct Layer {
  std::string_view folder;
  std::size_t height;
};

// The layer a file of the product belongs to, by the longest of the folders.
std::optional<Layer> layer_of(std::string_view file) {
  std::optional<Layer> layer;
  for (std::size_t height = 0; height < heights.size(); ++height) {
    for (const std::string_view folder : heights[height]) {
      if (file.starts_with(folder) && (!layer || folder.size() > layer->folder.size())) layer = {folder, height};
    }
  }
  return layer;
}

bool may_include(const Layer& layer, std::string_view included) {
  const std::optional<Layer> other = layer_of(included);
  return other && (other->height < layer.height || other->folder == layer.folder);
}

bool is_source(const fs::path& path) { return path.extension() == ".h" || path.extension() == ".cpp"; }

// "file: included", for every quoted #include that does not go down. A path that does not start at the repository's
// root
// ("../reader/record.h") is of no layer.
std::vector<std::string> forbidden_includes(const fs::path& root, const fs::path& file) {
  const std::string name = file.lexically_relative(root).string();
  const Layer layer = *layer_of(name);
  static const std::regex include(R"re(^\s*#\s*include\s*"([^"]*)")re");

  std::vector<std::string> found;
  std::ifstream in(file);
  std::smatch match;
  for (std::string line; std::getline(in, line);) {
    if (!std::regex_search(line, match, include)) continue;
    if (const std::string included = match[1]; !may_include(layer, included)) found.push_back(name + ": " + included);
  }
  return found;
}

std::vector<std::string> forbidden_includes(const fs::path& root) {
  std::vector<std::string> found;
  for (const auto& folders : heights) {
    for (const std::string_view folder : folders) {
      if (folder == "analysis/samples/" || !fs::exists(root / folder)) continue;  // it is in analysis/
      for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        if (entry.is_regular_file() && is_source(entry.path())) {
          std::ranges::move(forbidden_includes(root, entry.path()), std::back_inserter(found));
        }
      }
    }
  }
  std::ranges::sort(found);
  return found;
}

TEST(Layers, IncludeWhatIsBelow) { EXPECT_THAT(forbidden_includes(test::source_path("")), IsEmpty()); }

TEST(Layers, AreSeenToBeLeft) {
  const test::TemporaryDirectory tree;
  tree.write("base/error.h", "#include \"reader/record.h\"\n");
  tree.write("reader/record.cpp", "#include \"reader/record.h\"\n  #  include \"symbolize/symbolizer.h\"\n");
  tree.write("reader/records/comm.cpp", "#include \"../record.h\"\n#include \"base/error.h\"\n");
  tree.write("symbolize/elf.cpp", "#include \"tests/support/bytes.h\"\n");
  tree.write("filter/parse.cpp", "#include \"reader/sample.h\"\n");
  tree.write("analysis/samples/stack.cpp", "#include \"filter/filter.h\"\n#include \"analysis/profile/profile.h\"\n");
  tree.write("analysis/profile/profile.cpp",
             "#include \"analysis/samples/stack.h\"\n#include \"output/text_writer.h\"\n");
  tree.write("dlfilters/host/host.cpp", "#include \"reader/sample.h\"\n#include \"tools/command.h\"\n");
  tree.write("tools/main.cpp", "#include \"reader/sample.h\"\n#include \"output/folded/folded.h\"\n");
  EXPECT_THAT(forbidden_includes(tree.path()),
              ElementsAre("analysis/profile/profile.cpp: output/text_writer.h",
                          "analysis/samples/stack.cpp: analysis/profile/profile.h", "base/error.h: reader/record.h",
                          "dlfilters/host/host.cpp: tools/command.h", "filter/parse.cpp: reader/sample.h",
                          "reader/record.cpp: symbolize/symbolizer.h", "reader/records/comm.cpp: ../record.h",
                          "symbolize/elf.cpp: tests/support/bytes.h"));
}

}  // namespace
}  // namespace perfsift
