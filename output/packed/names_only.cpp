#include "output/packed/names_only.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "reader/writer/recording_writer.h"
#include "symbolize/jit/jit_dump.h"

namespace perfsift::output {
namespace {

using symbolize::UsedFile;

class MemorySink : public reader::ByteSink {
 public:
  void write(Bytes bytes) override { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void write_at(std::uint64_t offset, Bytes bytes) override {
    if (bytes_.size() < offset + bytes.size()) bytes_.resize(offset + bytes.size());
    std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

// Zeros in place of the code and of its unwinding information. Other files stay.
void remove_code(UsedFile& file) {
  const auto dump = symbolize::parse_jit_dump(file.bytes);
  if (!dump) return;
  const auto copy = std::make_shared<std::vector<std::byte>>(file.bytes.begin(), file.bytes.end());
  const auto clear = [&](Bytes part) {
    if (part.empty()) return;
    std::fill_n(copy->begin() + (part.data() - file.bytes.data()), part.size(), std::byte{0});
  };
  for (const symbolize::JitCode& code : dump->codes) clear(code.bytes);
  file.bytes = *copy;
  file.owner = copy;
}

// "/usr/lib/libc.so.6.names" of "names elf 0123… -1 0.0 /usr/lib/libc.so.6", for a name in the archive.
std::string path_of_names(const std::string& purpose) {
  const std::size_t path = purpose.find('/');
  return path == std::string::npos ? std::string() : purpose.substr(path) + ".names";
}

UsedFile as_file(const std::string& purpose, std::string text) {
  const auto owner = std::make_shared<const std::string>(std::move(text));
  return {.path = path_of_names(purpose),
          .build_id = {},
          .bytes = std::as_bytes(std::span(*owner)),
          .owner = owner,
          .why_missing = {}};
}

}  // namespace

reader::RecordingFile with_unwound_samples(const reader::Recording& recording, analysis::UnwoundSamples& samples) {
  MemorySink sink;
  reader::RecordingWriter writer(reader::header_content(recording), {.form = reader::WriteForm::file}, sink);
  recording.visit_records([&](const reader::Record& record) {
    const reader::Record& written = samples.of(record);
    if (&written == &record)
      writer.write(record);
    else
      writer.write_copy(written);
  });
  writer.finish();
  const auto owner = std::make_shared<const std::vector<std::byte>>(sink.take());
  reader::RecordingFile file{.path = recording.path(), .bytes = *owner, .owner = owner};
  if (const auto files = recording.files(); !files.empty()) file.modified_seconds = files.front().modified_seconds;
  return file;
}

std::map<std::string, UsedFile> names_instead_of_binaries(std::map<std::string, UsedFile> used,
                                                          std::map<std::string, std::string> names) {
  std::erase_if(used, [](const auto& each) {
    const auto& [purpose, file] = each;
    return file.why_missing.empty() && !purpose.starts_with(symbolize::made_code_role);
  });
  for (auto& [purpose, file] : used) remove_code(file);
  for (auto& [purpose, text] : names) used.insert_or_assign(purpose, as_file(purpose, std::move(text)));
  return used;
}

}  // namespace perfsift::output
