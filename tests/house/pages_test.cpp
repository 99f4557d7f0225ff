// The pages for developers must name only files, functions and types that exist.
//
// Names are in backticks. A path starts at the root of the repository, or in the folder of the previous path in the
// same paragraph. A function is in the file named last, or in the header or source beside that file. A type, and a
// function behind the name of its type, may also be in any header.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/support/paths.h"
#include "tests/support/temporary.h"

namespace perfsift {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string content_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_part_of_name(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Whether `phrase` is in the text, and not only as a part of longer names.
bool has(const std::string& text, const std::string& phrase) {
  for (std::size_t at = text.find(phrase); at != std::string::npos; at = text.find(phrase, at + 1)) {
    const std::size_t end = at + phrase.size();
    if ((at == 0 || !is_part_of_name(text[at - 1])) && (end == text.size() || !is_part_of_name(text[end]))) return true;
  }
  return false;
}

bool defines(const std::string& text, const std::string& type) {
  return has(text, "class " + type) || has(text, "struct " + type) || has(text, "using " + type);
}

// The files of the repository that pages can name.
class Tree {
 public:
  explicit Tree(fs::path root) : root_(std::move(root)) {
    for (auto entry = fs::recursive_directory_iterator(root_); entry != fs::recursive_directory_iterator(); ++entry) {
      if (entry->path() == root_ / "build" || entry->path() == root_ / ".git") entry.disable_recursion_pending();
      if (entry->path().extension() == ".h") headers_.push_back(content_of(entry->path()));
    }
  }

  bool has_path(const fs::path& path) const { return fs::exists(root_ / path); }
  // The text of a file, with the header or source beside the file.
  std::string text(fs::path file) const {
    const std::string own = content_of(root_ / file);
    if (file.extension() == ".h") return own + content_of(root_ / file.replace_extension(".cpp"));
    return file.extension() == ".cpp" ? own + content_of(root_ / file.replace_extension(".h")) : own;
  }
  bool has_type(const std::string& type) const {
    return std::ranges::any_of(headers_, [&](const std::string& text) { return defines(text, type); });
  }
  bool has_member(const std::string& type, const std::string& name) const {
    return std::ranges::any_of(headers_,
                               [&](const std::string& text) { return defines(text, type) && has(text, name); });
  }

 private:
  fs::path root_;
  std::vector<std::string> headers_;
};

// Reads a page from start to end.
class PageReader {
 public:
  explicit PageReader(const Tree& tree) : tree_(tree) {}

  // The names that are not in the tree, in the order of the page.
  std::vector<std::string> missing_names(const std::string& page) {
    std::istringstream lines(page);
    bool in_drawing = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("```")) {
        in_drawing = !in_drawing;
      } else if (in_drawing) {
        read_drawn_folder(line);
      } else {
        if (line.empty() || line.starts_with("|")) last_path_.clear();
        read_names(line);
      }
    }
    return missing_;
  }

 private:
  // "analysis/    what is computed", or "  samples/    ..." for a subfolder of the folder above.
  void read_drawn_folder(const std::string& line) {
    static const std::regex folder(R"(^( *)(\w+/) )");
    std::smatch match;
    if (!std::regex_search(line, match, folder)) return;
    const bool is_inner = match[1].length() != 0;
    const std::string path = (is_inner ? drawn_folder_ : "") + match[2].str();
    if (!tree_.has_path(path)) missing_.push_back(path);
    if (!is_inner) drawn_folder_ = path;
  }

  void read_names(const std::string& line) {
    static const std::regex quoted("`([^`]+)`");
    for (std::sregex_iterator name(line.begin(), line.end(), quoted), end; name != end; ++name) {
      if (!exists((*name)[1])) missing_.push_back((*name)[1]);
    }
  }

  // Also true for names that are not files or symbols, such as `comm=` and `./dev test`.
  bool exists(const std::string& name) {
    static const std::regex path(R"([\w./]+(/|\.(h|cpp|py|sh|md|txt|cmake)))");
    static const std::regex function(R"((?:(\w+)::)?(\w+)\(\))");
    static const std::regex type("[A-Z][a-z]+([A-Z][a-z]+)*");
    std::smatch match;
    if (name.find("NAME") != std::string::npos) return find_path(name.substr(0, name.find("NAME")));
    if (std::regex_match(name, path)) return find_path(name);
    if (std::regex_match(name, type)) return tree_.has_type(name);
    if (!std::regex_match(name, match, function)) return true;
    const std::string last = tree_.text(last_path_);
    if (!match[1].matched) return has(last, match[2]);
    return (has(last, match[1]) && has(last, match[2])) || tree_.has_member(match[1], match[2]);
  }

  bool find_path(const std::string& name) {
    for (const fs::path& path : {fs::path(name), last_path_.parent_path() / name}) {
      if (!tree_.has_path(path)) continue;
      last_path_ = path;
      return true;
    }
    return false;
  }

  const Tree& tree_;
  std::vector<std::string> missing_;
  std::string drawn_folder_;
  fs::path last_path_;
};

TEST(Pages, NameWhatExists) {
  const Tree tree(test::source_path(""));
  EXPECT_THAT(PageReader(tree).missing_names(tree.text("ARCHITECTURE.md")), IsEmpty());
  EXPECT_THAT(PageReader(tree).missing_names(tree.text("CONTRIBUTING.md")), IsEmpty());
}

TEST(Pages, AreSeenToNameWhatDoesNotExist) {
  const test::TemporaryDirectory root;
  root.write("reader/timeline.h", "class Timeline {\n  Mapping mapping(int pid);\n};\n");
  root.write("reader/timeline.cpp", "void apply() {}\n");
  root.write("reader/records/comm.cpp", "Comm decode_comm();\n");
  const Tree tree(root.path());
  EXPECT_THAT(PageReader(tree).missing_names("`reader/timeline.h` `apply()`, `timeline.cpp`: `Timeline::mapping()`\n"
                                             "and `Timeline`, `reader/records/NAME.cpp`, `comm=`, `./dev test`\n"),
              IsEmpty());
  EXPECT_THAT(
      PageReader(tree).missing_names("`reader/records/fork.cpp` `reader/records/comm.cpp` `decode_fork()`\n"
                                     "`Timeline::drop()` `Fork` `writer/NAME.1`\n\n`comm.cpp`\n"),
      ElementsAre("reader/records/fork.cpp", "decode_fork()", "Timeline::drop()", "Fork", "writer/NAME.1", "comm.cpp"));
  EXPECT_THAT(PageReader(tree).missing_names("```\nreader/   records\n  records/   decoders\n  writer/   not here\n"
                                             "filter/   not here\n```\n"),
              ElementsAre("reader/writer/", "filter/"));
}

}  // namespace
}  // namespace perfsift
