#include "output/pprof/labels.h"

#include <array>

#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>

#include "analysis/input/pprof_fields.h"

namespace perfsift::output {
namespace {

namespace pprof = analysis::pprof;
using protozero::pbf_writer;

std::string text_label(std::string_view key, std::string_view text, StringTable& strings) {
  std::string label, field;
  pbf_writer message(label);
  message.add_int64(pprof::Label::key, strings.number(key));
  message.add_int64(pprof::Label::str, strings.number(text));
  pbf_writer(field).add_message(pprof::Sample::label, label);
  return field;
}

// A sample may have several such labels, so they are encoded without memory of their own.
void append_number(std::int64_t key, std::int64_t number, std::int64_t unit, std::string& fields) {
  std::array<char, 3 * (1 + protozero::max_varint_length)> label{};
  char* end = label.data();
  const auto add = [&](pprof::Label::Field field, std::int64_t value) {
    *end++ = static_cast<char>(field << 3 | static_cast<int>(protozero::pbf_wire_type::varint));
    end += protozero::add_varint_to_buffer(end, static_cast<std::uint64_t>(value));
  };
  add(pprof::Label::key, key);
  add(pprof::Label::num, number);
  if (unit != 0) add(pprof::Label::num_unit, unit);
  pbf_writer(fields).add_message(pprof::Sample::label, label.data(), static_cast<std::size_t>(end - label.data()));
}

}  // namespace

LabelEncoder::LabelEncoder(const PprofLabels& labels, const std::vector<const analysis::SampleContext*>& contexts,
                           const std::map<std::int32_t, std::string>& processes, StringTable& strings)
    : labels_(labels), process_comms_(processes) {
  for (const analysis::SampleContext* context : contexts) {
    if (context->pid >= 0 && context->pid == context->tid) process_comms_.try_emplace(context->pid, context->comm);
  }
  for (const analysis::SampleContext* context : contexts) of_context_.push_back(encode_context(*context, strings));
  for (const auto& [mode, name] : pprof::execution_modes) {
    const auto number = static_cast<std::size_t>(mode);
    if (of_mode_.size() <= number) of_mode_.resize(number + 1);
    if (labels.execution_mode) of_mode_[number] = text_label(pprof::label::execution_mode, name, strings);
  }
  cpu_ = strings.number(pprof::label::cpu);
  timestamp_ = strings.number(pprof::label::timestamp);
  nanoseconds_ = strings.number("nanoseconds");
  if (labels.run) run_ = strings.number(pprof::label::run), block_ = strings.number(pprof::label::block);
}

std::string LabelEncoder::encode_context(const analysis::SampleContext& context, StringTable& strings) const {
  std::string fields;
  if (labels_.pid && context.pid >= 0) append_number(strings.number(pprof::label::pid), context.pid, 0, fields);
  if (labels_.tid && context.tid >= 0) append_number(strings.number(pprof::label::tid), context.tid, 0, fields);
  if (labels_.comm && !context.comm.empty()) {
    const auto process = process_comms_.find(context.pid);
    const std::string& comm = process != process_comms_.end() ? process->second : context.comm;
    fields += text_label(pprof::label::comm, comm, strings);
    fields += text_label(pprof::label::thread_comm, context.comm, strings);
  }
  if (labels_.cgroup && !context.cgroup.empty()) fields += text_label(pprof::label::cgroup, context.cgroup, strings);
  if (labels_.other) {
    for (const auto& [key, text, number, unit] : context.labels) {
      if (text.empty()) {
        append_number(strings.number(key), number, strings.number(unit), fields);
      } else {
        fields += text_label(key, text, strings);
      }
    }
  }
  return fields;
}

void LabelEncoder::append(const analysis::SampleGroup& group, std::string& sample) const {
  if (group.context != analysis::SampleGroup::no_context) sample += of_context_[group.context];
  if (group.mode < of_mode_.size()) sample += of_mode_[group.mode];
  if (labels_.cpu && group.cpu >= 0) append_number(cpu_, group.cpu, cpu_, sample);
  if (labels_.run && group.run != analysis::SumRow::no_run) {
    append_number(run_, group.run, run_, sample);
    append_number(block_, group.block, block_, sample);
  }
  if (labels_.timestamp && group.time != reader::no_time)
    append_number(timestamp_, static_cast<std::int64_t>(group.time), nanoseconds_, sample);
}

}  // namespace perfsift::output
