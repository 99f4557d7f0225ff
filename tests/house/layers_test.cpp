// Tests which layers may include which layers. A layer includes lower layers only:
//
//   base < reader, symbolize, filter < facts < record, analysis/samples < analysis < store < output < options,
//   library < dlfilters < tools
//
// The reader, the symbolizer and the filter do not include each other, and nothing includes the public library. There
// are no exceptions. The folders within a layer are also ordered: no folder includes itself through other folders.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
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

// Layers from the lowest up. Folders on the same level do not include each other.
const std::vector<std::vector<std::string_view>> heights = {
    {"base/"},      {"reader/", "symbolize/", "filter/"},
    {"facts/"},     {"record/", "analysis/samples/"},
    {"analysis/"},  {"store/"},
    {"output/"},    {"options/", "library/"},
    {"dlfilters/"}, {"tools/"},
};

struct Layer {
  std::string_view folder;
  std::size_t height;
};

// The layer of a product file: the longest matching folder decides.
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

struct Include {
  std::string file;      // both paths start at the repository's root
  std::string included;  // as written: "../reader/record.h" is in no layer
};

// Every quoted #include of the product, sorted by file.
std::vector<Include> includes_of_product(const fs::path& root) {
  static const std::regex include(R"re(^\s*#\s*include\s*"([^"]*)")re");
  std::vector<Include> found;
  for (const auto& folders : heights) {
    for (const std::string_view folder : folders) {
      if (folder == "analysis/samples/" || !fs::exists(root / folder)) continue;  // part of analysis/
      for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
        if (!entry.is_regular_file() || !is_source(entry.path())) continue;
        std::ifstream in(entry.path());
        std::smatch match;
        for (std::string line; std::getline(in, line);) {
          if (std::regex_search(line, match, include))
            found.push_back({entry.path().lexically_relative(root).string(), match[1]});
        }
      }
    }
  }
  std::ranges::stable_sort(found, {}, &Include::file);
  return found;
}

// "file: included", for every #include that is not in a lower layer.
std::vector<std::string> forbidden_includes(const fs::path& root) {
  std::vector<std::string> found;
  for (const auto& [file, included] : includes_of_product(root)) {
    if (!may_include(*layer_of(file), included)) found.push_back(file + ": " + included);
  }
  return found;
}

std::string folder_of(const std::string& file) { return fs::path(file).parent_path().string(); }

// "file: included", for every #include of a folder whose files, directly or through other files, include the folder of
// `file`.
std::vector<std::string> includes_in_cycles(const fs::path& root) {
  const std::vector<Include> includes = includes_of_product(root);
  std::map<std::string, std::set<std::string>> reached;  // from each folder
  for (const auto& [file, included] : includes) reached[folder_of(file)].insert(folder_of(included));
  for (bool grows = true; grows;) {
    grows = false;
    for (auto& [folder, others] : reached) {
      const std::size_t before = others.size();
      for (const std::string& other : std::set(others)) {
        if (const auto next = reached.find(other); next != reached.end())
          others.insert(next->second.begin(), next->second.end());
      }
      grows |= others.size() > before;
    }
  }
  std::vector<std::string> found;
  for (const auto& [file, included] : includes) {
    const std::string from = folder_of(file);
    const std::string to = folder_of(included);
    if (from != to && reached[to].contains(from)) found.push_back(file + ": " + included);
  }
  return found;
}

// "file: included", for every #include of the public library from outside.
std::vector<std::string> includes_of_library(const fs::path& root) {
  std::vector<std::string> found;
  for (const auto& [file, included] : includes_of_product(root)) {
    if (!file.starts_with("library/") && included.starts_with("library/")) found.push_back(file + ": " + included);
  }
  return found;
}

TEST(Layers, NothingIncludesTheLibrary) { EXPECT_THAT(includes_of_library(test::source_path("")), IsEmpty()); }

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

TEST(Folders, DoNotIncludeEachOther) { EXPECT_THAT(includes_in_cycles(test::source_path("")), IsEmpty()); }

TEST(Folders, AreSeenToIncludeEachOther) {
  const test::TemporaryDirectory tree;
  tree.write("reader/recording.h", "#include \"reader/records/comm.h\"\n#include \"reader/recording_kind.h\"\n");
  tree.write("reader/records/comm.h", "#include \"reader/format/abi.h\"\n");
  tree.write("reader/format/abi.h", "#include \"reader/kind.h\"\n");
  tree.write("filter/filter.h", "#include \"filter/language/parser.h\"\n");
  EXPECT_THAT(includes_in_cycles(tree.path()),
              ElementsAre("reader/format/abi.h: reader/kind.h", "reader/recording.h: reader/records/comm.h",
                          "reader/records/comm.h: reader/format/abi.h"));
}

}  // namespace
}  // namespace perfsift
