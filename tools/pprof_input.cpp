#include "tools/pprof_input.h"

#include <utility>

#include "analysis/gate/stored_digest.h"
#include "base/error.h"
#include "base/printable.h"
#include "output/quality/quality_lines.h"

namespace perfsift::tools {
namespace {

// A protobuf message has less than 2 GiB; a compressed file may pretend to have more than any disk.
class LimitedSource : public reader::ByteSource {
 public:
  explicit LimitedSource(reader::InputFile& input) : input_(input) {}

  std::size_t read(std::span<std::byte> out) override {
    const std::size_t got = input_.source->read(out);
    read_ += got;
    if (read_ > most_bytes) throw InputError(input_.path + ": is larger than 2 GiB, the limit of a pprof profile");
    return got;
  }

 private:
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 31;

  reader::InputFile& input_;
  std::uint64_t read_ = 0;
};

// Adds the name of the input to errors.
template <typename Work>
void with_path(const std::string& path, Work&& work) {
  try {
    work();
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
}

}  // namespace

void unpack_pprof(reader::InputFile& input) {
  if (input.source == nullptr) return;
  LimitedSource source(input);
  input.mapped = reader::read_all(source);
  if (const std::string damage = input.source->damage(); !damage.empty()) throw InputError(input.path + ": " + damage);
  input.source.reset();
  input.peeked = {};
}

PprofInput::PprofInput(reader::InputFile input) : input_(std::move(input)) {
  unpack_pprof(input_);
  with_path(input_.path, [&] { pprof_.emplace(input_.mapped.bytes()); });
}

void PprofInput::start(analysis::Profile& profile, const ProfileReading& reading) {
  collector_.emplace(*pprof_, profile, reading.stacks, [&](std::string_view event) { return reading.events(event); });
}

// The last event, if the profile names none, as in pprof (internal/driver, sampleFormat()).
std::string PprofInput::first_event() const {
  const std::vector<analysis::PprofEvent>& events = collector_->events();
  const auto type = [&](std::size_t number) {
    return number < pprof_->sample_types().size() ? pprof_->sample_types()[number].type : std::string_view();
  };
  const std::string_view wanted = pprof_->default_type();
  for (const analysis::PprofEvent& event : events) {
    if (!wanted.empty() && (type(event.count) == wanted || type(event.value) == wanted)) return event.name;
  }
  return events.back().name;
}

void PprofInput::collect(std::uint32_t first_stack, analysis::TableBuilder* rows, InputReport& report) {
  if (rows != nullptr) collector_->add_rows_to(*rows, first_stack);
  with_path(input_.path, [&] { collector_->collect(); });
  for (const analysis::PprofEvent& event : collector_->events()) {
    report.events.push_back(event.name);
    if (!event.type.unit.empty()) report.units[event.name] = event.type.unit;
  }
  report.first_event = first_event();
  const analysis::PprofValueType& period = pprof_->period_type();
  report.period = {.number = pprof_->period(), .type = std::string(period.type), .unit = std::string(period.unit)};
  PprofReport own{.stats = collector_->stats(),
                  .comments = {pprof_->comments().begin(), pprof_->comments().end()},
                  .recorded_at = pprof_->recorded_at(),
                  .run_samples = collector_->run_samples()};
  own.agrees_with_digest = analysis::agrees_with_digest(input_.mapped.bytes(), own.comments);
  for (const std::string& comment : own.comments)
    if (output::is_quality_line(comment)) report.quality.told.push_back(printable(comment));
  report.duration = pprof_->duration();
  report.samples = collector_->stats().samples;
  report.kept = collector_->kept();
  report.quality.interrupts = collector_->interrupts();
  report.own = std::move(own);
}

}  // namespace perfsift::tools
