#include "output/pprof/labels.h"

#include <protozero/pbf_writer.hpp>

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

}  // namespace

LabelEncoder::LabelEncoder(const PprofLabels& labels, const std::vector<const analysis::SampleContext*>& contexts,
                           StringTable& strings)
    : labels_(labels) {
  for (const analysis::SampleContext* context : contexts) {
    if (context->pid >= 0 && context->pid == context->tid) process_comms_[context->pid] = context->comm;
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
  if (labels_.pid && context.pid >= 0) fields += number_label(strings.number(pprof::label::pid), context.pid, 0);
  if (labels_.tid && context.tid >= 0) fields += number_label(strings.number(pprof::label::tid), context.tid, 0);
  if (labels_.comm && !context.comm.empty()) {
    const auto process = process_comms_.find(context.pid);
    const std::string& comm = process != process_comms_.end() ? process->second : context.comm;
    fields += text_label(pprof::label::comm, comm, strings);
    fields += text_label(pprof::label::thread_comm, context.comm, strings);
  }
  if (labels_.cgroup && !context.cgroup.empty()) fields += text_label(pprof::label::cgroup, context.cgroup, strings);
  if (labels_.other) {
    for (const auto& [key, text, number, unit] : context.labels) {
      fields += text.empty() ? number_label(strings.number(key), number, strings.number(unit))
                             : text_label(key, text, strings);
    }
  }
  return fields;
}

std::string LabelEncoder::number_label(std::int64_t key, std::int64_t number, std::int64_t unit) const {
  std::string label, field;
  pbf_writer message(label);
  message.add_int64(pprof::Label::key, key);
  message.add_int64(pprof::Label::num, number);
  if (unit != 0) message.add_int64(pprof::Label::num_unit, unit);
  pbf_writer(field).add_message(pprof::Sample::label, label);
  return field;
}

void LabelEncoder::append(const analysis::SampleGroup& group, std::string& sample) const {
  if (group.context != analysis::SampleGroup::no_context) sample += of_context_[group.context];
  if (group.mode < of_mode_.size()) sample += of_mode_[group.mode];
  if (labels_.cpu && group.cpu >= 0) sample += number_label(cpu_, group.cpu, cpu_);
  if (labels_.run && group.run != analysis::LoggedAmount::no_run) {
    sample += number_label(run_, group.run, run_);
    sample += number_label(block_, group.block, block_);
  }
  if (labels_.timestamp && group.time != reader::no_time)
    sample += number_label(timestamp_, static_cast<std::int64_t>(group.time), nanoseconds_);
}

}  // namespace perfsift::output
