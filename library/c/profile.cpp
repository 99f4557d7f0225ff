#include "library/c/boundary.h"
#include "library/c/objects.h"
#include "library/c/sample_options.h"

namespace perfsift::v0::detail {
namespace {

ProfileOptions profile_options(const perfsift_profile_options* given) {
  const perfsift_profile_options from = options_from(given, PERFSIFT_PROFILE_OPTIONS_INIT);
  const perfsift_sample_options samples = sample_options(from.samples);
  ProfileOptions options;
  options.samples = public_options(samples);
  if (from.event != nullptr) options.events = {from.event};
  options.weight = from.count_samples != 0 ? Weight::samples : Weight::period;
  options.comm = from.no_comm == 0;
  options.pid = from.with_pid != 0;
  options.tid = from.with_tid != 0;
  options.kernel_only = from.kernel_only != 0;
  options.user_only = from.user_only != 0;
  options.annotate = from.annotate != 0;
  options.threads = samples.threads;
  return options;
}

void fill_functions(perfsift_profile& object) {
  object.functions.clear();
  object.names.clear();
  for (const ProfileFunction& from : object.profile.functions()) {
    object.functions.push_back({.event = object.names.emplace_back(from.event).c_str(),
                                .function = object.names.emplace_back(from.function).c_str(),
                                .self_samples = from.self.samples,
                                .self_value = from.self.value,
                                .total_samples = from.total.samples,
                                .total_value = from.total.value});
  }
  object.has_functions = true;
}

}  // namespace
}  // namespace perfsift::v0::detail

using namespace perfsift::v0::detail;

perfsift_profile* perfsift_profile_new(perfsift_recording* recording, const perfsift_profile_options* options,
                                       perfsift_error** error) {
  return guarded_pointer(error, [&] {
    const auto object = object_of(recording, "recording");
    return Handles::all().add<perfsift_profile>(perfsift::v0::Profile(object->recording, profile_options(options)));
  });
}

void perfsift_profile_free(perfsift_profile* profile) { Handles::all().remove(profile); }

const char* perfsift_profile_folded(perfsift_profile* profile, perfsift_error** error) {
  return guarded_pointer(error, [&] {
    const auto object = object_of(profile, "profile");
    const std::lock_guard lock(object->mutex);
    if (!object->has_folded) object->folded = object->profile.folded(), object->has_folded = true;
    return object->folded.c_str();
  });
}

const perfsift_function* perfsift_profile_functions(perfsift_profile* profile, size_t* count, perfsift_error** error) {
  return guarded_pointer(error, [&]() -> const perfsift_function* {
    const auto object = object_of(profile, "profile");
    require(count, "count");
    const std::lock_guard lock(object->mutex);
    if (!object->has_functions) fill_functions(*object);
    static const perfsift_function none{};
    *count = object->functions.size();
    return object->functions.empty() ? &none : object->functions.data();
  });
}
