#include "output/offcpu/spike_json.h"

#include <string>
#include <utility>

#include "analysis/offcpu/interval_names.h"

namespace perfsift::output {
namespace {

Json waker_json(const offcpu::Waker& waker, offcpu::Names& names) {
  Json json = thread_json(waker.thread, names);
  json["cpu"] = waker.cpu;
  json["frames"] = frames_json(waker.stack, names);
  return json;
}

Json meanwhile_json(const std::vector<offcpu::RecentHistory::Ran>& meanwhile, const offcpu::Names& names) {
  Json list = Json::array();
  for (const offcpu::RecentHistory::Ran& ran : meanwhile) {
    Json one = thread_json(ran.thread, names);
    one["ran"] = ran.time;
    list.push_back(std::move(one));
  }
  return list;
}

Json samples_json(const std::vector<offcpu::StackSamples>& samples, offcpu::Names& names) {
  Json list = Json::array();
  for (const offcpu::StackSamples& some : samples) {
    list.push_back({{"event", some.event->name},
                    {"count", some.count},
                    {"comm", names.recorded_comm_of_stack(some.stack)},
                    {"frames", frames_json(some.stack, names)}});
  }
  return list;
}

}  // namespace

Json thread_json(offcpu::ThreadNumber thread, const offcpu::Names& names) {
  return {{"tid", names.scheduler().threads()[thread].tid}, {"comm", names.recorded_comm(thread)}};
}

Json frames_json(offcpu::StackId stack, offcpu::Names& names) {
  Json frames = Json::array();
  const offcpu::NamedStack& named = names.stack(stack);
  for (const auto* part : {&named.kernel, &named.user}) {
    for (const analysis::FrameId frame : *part) frames.push_back(std::string(names.frames().text(frame)));
  }
  return frames;
}

Json wait_json(std::uint64_t kinds) {
  Json words = Json::array();
  for (const filter::Word& word : filter::wait_words()) {
    if ((kinds & word.bits) != 0) words.push_back(word.name);
  }
  return words;
}

Json spike_json(const offcpu::Spike& spike, offcpu::Names& names, offcpu::WaitKinds& waits) {
  const offcpu::Interval& interval = spike.interval;
  Json json = thread_json(interval.thread, names);
  json["pid"] = names.scheduler().threads()[interval.thread].pid;
  json["start"] = interval.start;
  json["end"] = interval.end;
  json["off_cpu"] = interval.length();
  json["blocked"] = interval.blocked;
  json["run_queue"] = interval.run_queue;
  json["unknown"] = interval.unknown;
  json["state"] = interval.state.name();
  json["wait"] = wait_json(waits.of(interval));
  if (const std::string cgroup = names.cgroup(interval.cgroup); !cgroup.empty()) json["cgroup"] = cgroup;
  json["cut"] = offcpu::cut_of(interval);
  json["cpu_left"] = interval.cpu_left;
  json["cpu_entered"] = interval.cpu_entered;
  json["stack_of"] = offcpu::name_of(interval.origin);
  json["frames"] = frames_json(interval.stack, names);
  if (interval.waker.thread != offcpu::no_thread) json["waker"] = waker_json(interval.waker, names);
  if (interval.successor != offcpu::no_thread) json["next"] = thread_json(interval.successor, names);
  json["meanwhile"] = meanwhile_json(spike.meanwhile, names);
  json["samples"] = samples_json(spike.samples, names);
  if (!spike.recording.empty()) json["recording"] = spike.recording;
  return json;
}

}  // namespace perfsift::output
