#include "reader/recording.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/number_in.h"
#include "reader/mapped_recording.h"
#include "reader/streamed_recording.h"

namespace perfsift::reader {
namespace {

namespace fs = std::filesystem;

MappedRecording::Part part_of(InputFile input) {
  MappedRecording::Part part{.name = input.path,
                             .file = std::move(input.mapped),
                             .damage = {},
                             .modified_seconds = input.modified_seconds,
                             .packed = input.packed};
  if (input.source == nullptr) return part;
  part.file = read_all(*input.source);
  part.damage = input.source->damage();
  return part;
}

// The number N of a file `data.N`; nothing for other files.
std::optional<unsigned> stream_number(const fs::path& file) {
  constexpr std::string_view before = "data.";
  const std::string name = file.filename().string();
  return name.starts_with(before) ? number_in<unsigned>(std::string_view(name).substr(before.size())) : std::nullopt;
}

// The files of `perf record --threads`: `data` with the header, and beside it one stream of records per thread.
std::vector<MappedRecording::Part> directory_parts(const std::string& path) {
  const fs::path first = fs::path(path) / "data";
  std::error_code unknown;
  if (!fs::is_regular_file(first, unknown)) {
    throw InputError(path + ": a directory without a file 'data' in it is not a recording of perf record --threads");
  }
  std::vector<std::pair<unsigned, fs::path>> streams;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    if (const auto number = stream_number(entry.path())) streams.emplace_back(*number, entry.path());
  }
  if (error) throw InputError(path + ": cannot read the directory: " + error.message());
  std::ranges::sort(streams);
  std::vector<MappedRecording::Part> parts;
  parts.push_back(part_of(open_input(first.string())));
  for (const auto& [number, stream] : streams) {
    parts.push_back(part_of(open_input(stream.string())));
  }
  return parts;
}

// Passes the samples of a visit in order to a visitor that needs no order.
class InOrder : public OrderedVisitor {
 public:
  explicit InOrder(SampleVisitor& visitor) : visitor_(visitor) {}
  void sample(const Sample& sample) override { visitor_.sample(sample); }

 private:
  SampleVisitor& visitor_;
};

}  // namespace

void Recording::visit_samples(bool in_order, unsigned threads, const MakeVisitor& make) {
  if (!in_order) return visit_parallel(threads, make);
  const auto visitor = make(0);
  InOrder ordered(*visitor);
  visit_in_order(ordered);
  visitor->finish();
}

void Recording::visit_records(const std::function<void(const Record&)>&) const {
  throw InputError(path() + ": a stream is not kept as it came; save it to a file first");
}

Bytes Recording::header_file() const {
  throw InputError(path() + ": a stream is not kept as it came; save it to a file first");
}

std::vector<RecordingFile> Recording::files() const {
  throw InputError(path() + ": a stream is not kept as it came; save it to a file first");
}

std::unique_ptr<Recording> Recording::open(const std::string& path, OpenOptions options) {
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) {
    return std::make_unique<MappedRecording>(path, directory_parts(path), options);
  }
  return open(open_input(path), std::move(options));
}

std::unique_ptr<Recording> Recording::open(InputFile input, OpenOptions options) {
  if (!options.store_stream && input.source != nullptr && is_pipe_header(peek(input, pipe_header_size))) {
    return std::make_unique<StreamedRecording>(std::move(input), options);
  }
  // The file form has its features, which are needed first, at the end of the file. So all of the file must be here.
  const std::string path = input.path;
  std::vector<InputFile> further = std::move(input.further);
  std::vector<MappedRecording::Part> parts;
  parts.push_back(part_of(std::move(input)));
  for (InputFile& file : further) parts.push_back(part_of(std::move(file)));
  return std::make_unique<MappedRecording>(path, std::move(parts), options);
}

}  // namespace perfsift::reader
