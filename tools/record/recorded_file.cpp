#include "tools/record/recorded_file.h"

#include <ctime>

#include <fmt/chrono.h>

#include "reader/writer/records/auxtrace.h"
#include "reader/writer/records/header_records.h"
#include "tools/record/file_owner.h"

namespace perfsift::tools {
namespace {

// The header's features stand behind the records, so records that follow take them away until the next checkpoint. perf
// cannot read compressed records without the features, nor samples of tracepoints: a recorder that is killed leaves
// them missing only if it was writing. A checkpoint writes 10 to 100 KB.
constexpr std::chrono::milliseconds between_checkpoints{50};

output::OutputFile opened(const std::string& path) {
  return output::takes_pipe_form(path) ? output::OutputFile(path)
                                       : output::OutputFile::growing(path, mode_of_recordings);
}

reader::WriteForm form_of(const std::string& path) {
  return output::takes_pipe_form(path) ? reader::WriteForm::pipe : reader::WriteForm::file;
}

// perf 6.1 does not read a pipe that has features it does not know ("wrong feature ID"), but does read such files. What
// perf has added since 6.1 says nothing that readers need.
reader::HeaderContent known_to_readers(reader::HeaderContent header, reader::WriteForm form) {
  if (form == reader::WriteForm::pipe)
    std::erase_if(header.features, [](const auto& feature) { return feature.first >= reader::end_of_features_6_1; });
  return header;
}

// arm_spe_reference() in tools/perf/arch/arm64/util/arm-spe.c: a number that distinguishes pieces.
std::uint64_t trace_reference() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<std::uint64_t>(now.tv_sec ^ now.tv_nsec);
}

}  // namespace

std::string path_of_part(const std::string& path, const std::string& number) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return fmt::format("{}.{:%Y%m%d%H%M%S}{}", path, local, number);
}

RecordedFile::RecordedFile(const std::string& path, reader::HeaderContent header, std::optional<int> compression_level)
    : file_(opened(path)),
      sink_(file_),
      writer_(known_to_readers(std::move(header), form_of(path)),
              {.form = form_of(path), .compression_level = compression_level}, sink_) {
  if (const auto user = user_of_sudo()) file_.give_to(user->user, user->group);
}

RecordedFile::RecordedFile(FileDescriptor pipe, reader::HeaderContent header)
    : file_("pipe", std::move(pipe)),
      sink_(file_),
      writer_(known_to_readers(std::move(header), reader::WriteForm::pipe), {.form = reader::WriteForm::pipe}, sink_) {}

void RecordedFile::appear() {
  writer_.checkpoint();
  file_.appear();
  last_checkpoint_ = std::chrono::steady_clock::now();
}

void RecordedFile::records(std::size_t /*ring*/, Bytes records) { writer_.write_records(records); }

// __auxtrace_mmap__read() in tools/perf/util/auxtrace.c. The ring is the number of a queue of pieces.
void RecordedFile::trace(const record::TracePiece& piece) {
  constexpr std::size_t alignment = 8;  // PERF_AUXTRACE_RECORD_ALIGNMENT
  const reader::Auxtrace about{.size = (piece.bytes.size() + alignment - 1) / alignment * alignment,
                               .offset = piece.position,
                               .reference = trace_reference(),
                               .index = static_cast<std::uint32_t>(piece.ring),
                               .tid = piece.tid,
                               .cpu = piece.cpu};
  writer_.write_auxtrace(reader::encode_auxtrace(about, ByteOrder::native), piece.bytes.first, piece.bytes.second);
}

void RecordedFile::round() {
  writer_.write_records(reader::encode_finished_round(ByteOrder::native));
  const auto now = std::chrono::steady_clock::now();
  if (now - last_checkpoint_ < between_checkpoints) return writer_.flush();
  writer_.checkpoint();
  last_checkpoint_ = now;
}

void RecordedFile::finish() {
  writer_.finish();
  file_.commit();
}

}  // namespace perfsift::tools
