#include "library/c/boundary.h"
#include "library/c/objects.h"
#include "library/c/sample_options.h"

namespace perfsift::v0::detail {

perfsift_sample_options sample_options(const perfsift_sample_options* given) {
  return options_from(given, PERFSIFT_SAMPLE_OPTIONS_INIT);
}

SampleOptions public_options(const perfsift_sample_options& from) {
  SampleOptions options;
  if (from.filter != nullptr) options.filter = Filter(from.filter);
  if (from.symbolizer != nullptr) options.symbolizer = object_of(from.symbolizer, "symbolizer")->symbolizer;
  options.demangling = enumerator(from.demangling, Demangling::raw, "demangling");
  options.inlines = from.no_inlines == 0;
  if (from.max_frames != 0) options.max_frames = from.max_frames;
  return options;
}

namespace {

// The texts of frames end with a NUL; only an empty text may have no bytes.
const char* c_text(std::string_view text) { return text.empty() ? "" : text.data(); }

// Shows samples to a function of C.
class SampleShower {
 public:
  SampleShower(perfsift_sample_function visit, void* data, bool stacks) : visit_(visit), data_(data), stacks_(stacks) {}

  void operator()(const Sample& sample) {
    comm_ = sample.comm();
    frames_.clear();
    if (stacks_) {
      for (const Frame& frame : sample.stack()) frames_.push_back(c_frame(frame));
    }
    const perfsift_sample shown{.size = sizeof(perfsift_sample),
                                .event = sample.event().index,
                                .pid = sample.pid(),
                                .tid = sample.tid(),
                                .cpu = sample.cpu(),
                                .time = sample.time().value_or(PERFSIFT_NONE),
                                .ip = sample.ip().value_or(PERFSIFT_NONE),
                                .addr = sample.addr().value_or(PERFSIFT_NONE),
                                .weight = sample.weight(),
                                .latency = sample.latency().value_or(PERFSIFT_NONE),
                                .comm = comm_.c_str(),
                                .frames = frames_.data(),
                                .frame_count = frames_.size()};
    if (visit_(data_, &shown) != 0) throw VisitEnded();
  }

 private:
  perfsift_sample_function visit_;
  void* data_;
  bool stacks_;
  std::string comm_;
  std::vector<perfsift_frame> frames_;
};

void show_mmap(const Record& record, perfsift_mmap_function visit, void* data) {
  const auto map = record.mmap();
  if (!map) return;
  const std::string path(map->path);
  const perfsift_mmap shown{.size = sizeof(perfsift_mmap),
                            .pid = map->pid,
                            .tid = map->tid,
                            .time = record.time().value_or(PERFSIFT_NONE),
                            .start = map->start,
                            .length = map->length,
                            .page_offset = map->page_offset,
                            .protection = map->protection,
                            .flags = map->flags,
                            .path = path.c_str(),
                            .build_id = map->build_id.c_str()};
  if (visit(data, &shown) != 0) throw VisitEnded();
}

perfsift_info info_of(const perfsift_recording& object) {
  const RecordingStats stats = object.recording.stats();
  perfsift_info info = PERFSIFT_INFO_INIT;
  info.hostname = object.info.hostname.c_str();
  info.kernel = object.info.kernel.c_str();
  info.architecture = object.info.architecture.c_str();
  info.cpu = object.info.cpu.c_str();
  info.perf_version = object.info.perf_version.c_str();
  info.command = object.command.c_str();
  info.cpus_online = object.info.cpus_online.value_or(0);
  info.has_wall_clock = object.info.wall_clock_offset.has_value() ? 1 : 0;
  info.wall_clock_offset = object.info.wall_clock_offset.value_or(0);
  info.records = stats.records;
  info.samples = stats.samples;
  info.lost_records = stats.lost_records;
  info.lost_samples = stats.lost_samples;
  info.malformed = stats.malformed;
  info.first_time = stats.first_time.value_or(PERFSIFT_NONE);
  info.last_time = stats.last_time.value_or(PERFSIFT_NONE);
  info.damage = object.damage.size();
  return info;
}

}  // namespace

perfsift_frame c_frame(const Frame& frame) {
  return {.function = c_text(frame.function),
          .binary = c_text(frame.binary),
          .file = c_text(frame.file),
          .line = frame.line,
          .address = frame.address,
          .kind = static_cast<int>(frame.kind),
          .inlined = frame.inlined ? 1 : 0,
          .named = frame.named ? 1 : 0};
}

perfsift_event c_event(const Event& event) {
  return {.size = sizeof(perfsift_event),
          .name = event.name.c_str(),
          .type = event.type,
          .config = event.config,
          .period = event.period,
          .frequency = event.frequency,
          .sample_type = event.sample_type};
}

}  // namespace perfsift::v0::detail

using namespace perfsift::v0::detail;

perfsift_recording* perfsift_recording_open(const char* path, perfsift_error** error) {
  return guarded_pointer(error, [&] {
    require(path, "path");
    perfsift_recording* handle = Handles::all().add<perfsift_recording>(path);
    for (const std::string& word : handle->info.command) handle->command += (handle->command.empty() ? "" : " ") + word;
    for (const perfsift::v0::Damage& damage : handle->recording.stats().damage) {
      handle->damage.push_back(damage.file + ": " + damage.what);
    }
    return handle;
  });
}

void perfsift_recording_close(perfsift_recording* recording) { Handles::all().remove(recording); }

int perfsift_recording_info(perfsift_recording* recording, perfsift_info* info, perfsift_error** error) {
  return guarded(error, [&] { fill_result(info, info_of(*object_of(recording, "recording"))); });
}

const char* perfsift_recording_damage(perfsift_recording* recording, size_t index) {
  const auto object = Handles::all().find(recording);
  return object != nullptr && index < object->damage.size() ? object->damage[index].c_str() : nullptr;
}

size_t perfsift_recording_events(perfsift_recording* recording) {
  const auto object = Handles::all().find(recording);
  return object != nullptr ? object->recording.events().size() : 0;
}

int perfsift_recording_event(perfsift_recording* recording, size_t index, perfsift_event* event,
                             perfsift_error** error) {
  return guarded(error, [&] {
    const auto object = object_of(recording, "recording");
    const auto& events = object->recording.events();
    if (index >= events.size()) {
      throw perfsift::v0::Error(perfsift::v0::ErrorCode::usage,
                                "event " + std::to_string(index) + ": there are " + std::to_string(events.size()));
    }
    fill_result(event, c_event(events[index]));
  });
}

int perfsift_recording_samples(perfsift_recording* recording, const perfsift_sample_options* options,
                               perfsift_sample_function visit, void* data, perfsift_error** error) {
  return guarded(error, [&] {
    const auto object = object_of(recording, "recording");
    require(reinterpret_cast<const void*>(visit), "visit");
    const perfsift_sample_options wanted = sample_options(options);
    object->recording.for_each_sample(SampleShower(visit, data, wanted.no_stacks == 0), public_options(wanted));
  });
}

int perfsift_recording_mmaps(perfsift_recording* recording, perfsift_mmap_function visit, void* data,
                             perfsift_error** error) {
  return guarded(error, [&] {
    const auto object = object_of(recording, "recording");
    require(reinterpret_cast<const void*>(visit), "visit");
    object->recording.for_each_record([&](const perfsift::v0::Record& record) { show_mmap(record, visit, data); });
  });
}
