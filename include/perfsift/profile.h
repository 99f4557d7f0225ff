/// \file
/// Profiles: what samples add up to, by stack and by function.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <perfsift/export.h>
#include <perfsift/recording.h>

namespace PERFSIFT_NAMESPACE {

namespace detail {
struct ProfileState;
}  // namespace detail

/// The weight of a sample.
enum class Weight : std::uint8_t {
  period,   ///< Its period: occurrences of the event.
  samples,  ///< One.
};

/// Which samples become stacks, and how. The defaults are those of `perfsift fold`.
struct ProfileOptions {
  SampleOptions samples = {};            ///< Filter, symbolizer, names.
  std::vector<std::string> events = {};  ///< Names of events, also as globs and without modifiers; empty: all events.
  Weight weight = Weight::period;        ///< The weight of a sample.
  bool comm = true;                      ///< The thread's name as the outermost frame.
  bool pid = false;                      ///< With it the process: comm-PID.
  bool tid = false;                      ///< With it both: comm-PID/TID.
  bool kernel_only = false;              ///< Only the kernel's part of stacks.
  bool user_only = false;                ///< Only the user's part of stacks.
  bool annotate = false;                 ///< Marks behind names: kernel _[k], jit _[j], inlined _[i], guessed _[g].
  unsigned threads = 0;                  ///< 0: one for each CPU.
};

/// Samples and what they count.
struct Amount {
  std::uint64_t samples = 0;  ///< Number of samples.
  std::uint64_t value = 0;    ///< See Weight.
};

/// A distinct stack.
struct ProfileStack {
  std::string_view event;                    ///< Its event. Lives as long as the profile.
  std::span<const std::string_view> frames;  ///< Root first. The span lives until the function that got it returns.
  Amount amount;                             ///< The sum of all samples with this stack.
};

/// A function and the samples of its stacks.
struct ProfileFunction {
  std::string_view event;     ///< The event. Lives as long as the profile.
  std::string_view function;  ///< The text of the frame. Lives as long as the profile.
  Amount self;                ///< The sum of samples in this function itself.
  Amount total;               ///< The sum of samples with the function anywhere in their stacks; recursion counts once.
};

/// How much of the profile can be relied on.
struct ProfileQuality {
  std::uint64_t samples = 0;           ///< Samples that were counted.
  std::uint64_t lost_samples = 0;      ///< Samples that the recording says it lost.
  std::uint64_t lost_records = 0;      ///< Records of all types that were lost; perf 6.1 and later counts them twice,
                                       ///< also as lost samples, so do not add the two.
  std::uint64_t truncated_stacks = 0;  ///< Samples whose outer frames are missing.
  std::uint64_t frames = 0;            ///< Frames of all samples.
  std::uint64_t unnamed_frames = 0;    ///< Frames among them without a name.
};

/// The stacks of a recording and their sums. The results do not depend on the number of threads.
///
/// Thread-safety: immutable, all functions may be called by several threads at once. Copies share their contents.
class PERFSIFT_API Profile {
 public:
  /// Visits the recording. Throws Error: usage, for options that contradict each other or an event that the recording
  /// does not have; and what Recording::for_each_sample_parallel() throws.
  explicit Profile(Recording& recording, const ProfileOptions& options = {});
  Profile(const Profile&);             ///< Shares the contents.
  Profile& operator=(const Profile&);  ///< Shares the contents.
  ~Profile();                          ///< Never throws.

  /// The names of the events with stacks. Live as long as the profile.
  std::vector<std::string_view> events() const;
  /// The sum of all stacks of an event; 0 for an unknown event.
  Amount total(std::string_view event) const;
  /// Quality.
  ProfileQuality quality() const;

  /// Calls `visit` for each distinct stack, by event, then sorted bytewise by the text of its line in folded().
  /// Exceptions end the visit and pass through unchanged.
  void for_each_stack(const std::function<void(const ProfileStack& stack)>& visit) const;
  /// All functions (without the frames of threads), by event and then by the value of `self`, largest first.
  std::vector<ProfileFunction> functions() const;

  /// Folded stacks, `comm;root;…;leaf VALUE`, a line each, sorted bytewise: the bytes that `perfsift fold` writes. With
  /// stacks of several events the event is the first frame.
  std::string folded() const;
  /// Writes folded() to a file, which is replaced only when all is written. Throws Error (output).
  void write_folded(const std::string& path) const;

 private:
  std::shared_ptr<const detail::ProfileState> state_;
};

}  // namespace PERFSIFT_NAMESPACE
