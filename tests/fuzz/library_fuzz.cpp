// The C interface: calls in any order, on right, wrong and freed handles, for a recording of any bytes, on one thread
// or on two at once. The input: a number of calls, the calls, and the recording.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <thread>

#include <perfsift/perfsift.h>

#include "tests/fuzz/memory_file.h"

namespace {

// Reads all bytes of a text or an array.
thread_local volatile std::size_t sink;
void read_text(const char* text) {
  if (text != nullptr) sink = sink + std::strlen(text);
}
void read_array(const perfsift_array& array) {
  constexpr std::size_t sizes[] = {0, 1, 4, 4, 8};
  const auto* bytes = static_cast<const unsigned char*>(array.data);
  for (std::size_t i = 0; i < array.count * sizes[array.type]; ++i) sink = sink + bytes[i];
}

int take_sample(void* data, const perfsift_sample* sample) {
  read_text(sample->comm);
  for (std::size_t i = 0; i < sample->frame_count; ++i) read_text(sample->frames[i].function);
  return --*static_cast<int*>(data) == 0 ? 1 : 0;
}
int take_mmap(void* data, const perfsift_mmap* map) {
  read_text(map->path);
  return --*static_cast<int*>(data) == 0 ? 1 : 0;
}

void take_frame(void* data, const perfsift_frame* frame) {
  read_text(frame->function);
  ++*static_cast<int*>(data);
}

// The objects that calls use. Freed handles stay, so that later calls use them. Thread-safe.
class Calls {
 public:
  // `shared`: several threads call, and one thread may free objects that own the results of another. So these results
  // are not read.
  Calls(const std::string& path, bool shared) : path_(path), shared_(shared) {}
  ~Calls() {
    for (perfsift_recording* handle : recordings_) perfsift_recording_close(handle);
    for (perfsift_columns* handle : columns_) perfsift_columns_free(handle);
    for (perfsift_profile* handle : profiles_) perfsift_profile_free(handle);
    for (perfsift_offcpu* handle : intervals_) perfsift_offcpu_free(handle);
    for (perfsift_symbolizer* handle : symbolizers_) perfsift_symbolizer_free(handle);
  }

  // `call`: selects the function. `choice`: selects the arguments.
  void call(std::uint8_t call, std::uint8_t choice) {
    perfsift_error* error = nullptr;
    perfsift_error** const wanted = (choice & 0x80) != 0 ? nullptr : &error;
    if (call % 2 == 0) {
      make(call / 2, choice, wanted);
    } else {
      use(call / 2, choice, wanted);
    }
    read_text(perfsift_error_message(error));
    read_text(perfsift_error_file(error));
    perfsift_error_free(error);
    perfsift_error_free(error);
  }

 private:
  static constexpr std::size_t slots = 2;
  template <typename Handle>
  using Handles = std::array<std::atomic<Handle*>, slots>;

  void read_owned(const char* text) const {
    if (!shared_) read_text(text);
  }
  void read_owned(const perfsift_array& array) const {
    if (!shared_) read_array(array);
  }

  // A right handle, a wrong handle, or none.
  template <typename Handle>
  Handle* pick(const Handles<Handle>& handles, std::uint8_t choice) const {
    if (choice % 16 == 15) return reinterpret_cast<Handle*>(profiles_[0].load());
    if (choice % 16 == 14) return nullptr;
    return handles[choice % slots];
  }

  perfsift_sample_options options(std::uint8_t choice) const {
    static const char* const filters[] = {nullptr, "pid > 0", "sym == ", "depth > 1 && comm != \"x\"", "first(3)"};
    perfsift_sample_options options = PERFSIFT_SAMPLE_OPTIONS_INIT;
    options.filter = filters[choice % 5];
    options.symbolizer = pick(symbolizers_, choice);
    options.detail = choice / 16 % 4;
    options.demangling = choice / 4 % 4;
    options.no_stacks = choice / 8 % 2;
    options.threads = 1 + choice % 2;
    if (choice == 77) options.size = 3;
    return options;
  }

  void make(std::uint8_t which, std::uint8_t choice, perfsift_error** error) {
    const perfsift_sample_options samples = options(choice);
    perfsift_recording* recording = pick(recordings_, choice);
    switch (which % 5) {
      case 0:
        return replace(recordings_, choice, perfsift_recording_open(path_.c_str(), error), perfsift_recording_close);
      case 1:
        return replace(columns_, choice, perfsift_columns_new(recording, &samples, error), perfsift_columns_free);
      case 2: {
        perfsift_profile_options profile = PERFSIFT_PROFILE_OPTIONS_INIT;
        profile.samples = &samples;
        profile.kernel_only = choice / 2 % 2;
        profile.user_only = choice / 4 % 2;
        return replace(profiles_, choice, perfsift_profile_new(recording, &profile, error), perfsift_profile_free);
      }
      case 3:
        return replace(intervals_, choice, perfsift_offcpu_new(recording, nullptr, error), perfsift_offcpu_free);
      default: {
        perfsift_symbolizer_options nowhere = PERFSIFT_SYMBOLIZER_OPTIONS_INIT;
        nowhere.symfs = nowhere.debug_dir = nowhere.build_id_dir = nowhere.kallsyms = "/nowhere";
        return replace(symbolizers_, choice, perfsift_symbolizer_new(&nowhere, error), perfsift_symbolizer_free);
      }
    }
  }

  template <typename Handle>
  static void replace(Handles<Handle>& handles, std::uint8_t choice, Handle* made, void (*free)(Handle*)) {
    std::atomic<Handle*>& slot = handles[choice % slots];
    free(made != nullptr ? slot.exchange(made) : slot.load());
  }

  void use(std::uint8_t which, std::uint8_t choice, perfsift_error** error) {
    static const char* const arrays[] = {"time",       "stack", "stack_frames", "frame_line",
                                         "name_bytes", "start", "no",           ""};
    perfsift_array array{};
    int most = 1 + choice;
    const perfsift_sample_options samples = options(choice);
    switch (which % 9) {
      case 0: {
        perfsift_info info = PERFSIFT_INFO_INIT;
        if (perfsift_recording_info(pick(recordings_, choice), &info, error) == 0) read_owned(info.command);
        perfsift_recording_events(pick(recordings_, choice));
        return read_owned(perfsift_recording_damage(pick(recordings_, choice), choice % 4));
      }
      case 1: {
        perfsift_event event = PERFSIFT_EVENT_INIT;
        if (perfsift_recording_event(pick(recordings_, choice), choice / 16, &event, error) == 0)
          read_owned(event.name);
        return;
      }
      case 2:
        perfsift_recording_samples(pick(recordings_, choice), &samples, choice % 9 == 8 ? nullptr : take_sample, &most,
                                   error);
        return;
      case 3:
        perfsift_recording_mmaps(pick(recordings_, choice), take_mmap, &most, error);
        return;
      case 4:
        if (perfsift_columns_array(pick(columns_, choice), arrays[choice / 16 % 8], &array, error) == 0)
          read_owned(array);
        return;
      case 5: {
        std::size_t count = 0;
        const perfsift_function* functions = perfsift_profile_functions(pick(profiles_, choice), &count, error);
        for (std::size_t i = 0; !shared_ && functions != nullptr && i < count; ++i) read_text(functions[i].function);
        return read_owned(perfsift_profile_folded(pick(profiles_, choice), error));
      }
      case 6: {
        const char* const files[] = {path_.c_str(), nullptr, "/nowhere", "/"};
        perfsift_symbolizer_frames(pick(symbolizers_, choice), files[choice / 16 % 4], choice,
                                   choice % 9 == 8 ? nullptr : take_frame, &most, error);
        return;
      }
      case 7:
        return read_owned(perfsift_offcpu_folded(pick(intervals_, choice), error));
      default:
        if (perfsift_offcpu_array(pick(intervals_, choice), arrays[choice / 16 % 8], &array, error) == 0)
          read_owned(array);
        return;
    }
  }

  const std::string path_;
  const bool shared_;
  Handles<perfsift_recording> recordings_{};
  Handles<perfsift_columns> columns_{};
  Handles<perfsift_profile> profiles_{};
  Handles<perfsift_offcpu> intervals_{};
  Handles<perfsift_symbolizer> symbolizers_{};
};

}  // namespace

// libtraceevent leaks memory when it cannot parse a description.
extern "C" const char* __lsan_default_suppressions() { return "leak:libtraceevent"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span input(data, size);
  if (input.empty()) return 0;
  const std::size_t count = std::min<std::size_t>(input[0] % 32, (size - 1) / 2);
  const perfsift::test::MemoryFile file(input.subspan(1 + 2 * count));
  const bool two_threads = (input[0] & 0x80) != 0;
  Calls calls(file.path(), two_threads);
  calls.call(8, 0);  // a symbolizer that finds no files, and a recording
  calls.call(0, 0);
  const auto every = [&](std::size_t first, std::size_t step) {
    for (std::size_t i = first; i < count; i += step) calls.call(input[1 + 2 * i], input[2 + 2 * i]);
  };
  if (!two_threads) {
    every(0, 1);
    return 0;
  }
  std::thread other(every, 1, 2);
  every(0, 2);
  other.join();
  return 0;
}
