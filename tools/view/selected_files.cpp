#include "tools/view/selected_files.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/error.h"
#include "base/printable.h"
#include "tools/filter/filter_recording.h"

namespace perfsift::tools {
namespace {

// A folder that only this user can read, removed with its files.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "perfsift-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw Error("no folder for temporary files can be made: " + name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::string selected_recording(const ProfileCommand& inputs, const PageReading& reading, std::size_t recording,
                               const std::string& filter, symbolize::Symbolizer& symbolizer) {
  const std::string& path = reading.contents().recordings[recording].name;
  if (path == "-" || !reading.is_recording(recording))
    throw UsageError(printable(path) + ": only a recording in a file can be saved as a recording");
  std::vector<filter::FilterText> texts = inputs.filter_texts();
  if (!filter.empty()) texts.push_back({.origin = "filter", .text = filter});
  const filter::Filter wanted = filter::Filter::parse(texts);
  const TemporaryFolder folder;
  const std::string file = folder.file("selected.data");
  output::RunFiles files;
  Progress none(true);
  const FilterOptions options;
  const FilterResult result = filter_recording(
      path, file, {.options = options, .filter = wanted, .symbolizer = symbolizer, .split = {}, .files = files},
      inputs.threads(), none);
  if (!result.error.empty()) throw Error(result.error);
  return content_of(file);
}

}  // namespace perfsift::tools
