#include "record/open_counters.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "record/cgroups.h"
#include "record/event_opener.h"

namespace perfsift::record {

namespace {

class CounterOpening {
 public:
  CounterOpening(const CounterRequest& request, std::vector<SessionEvent>& events, std::vector<std::string>& left_out)
      : request_(request), events_(events), left_out_(left_out) {
    const Target& target = request.plan.target;
    places_ = places_of(target, request.command, request.folders);
    cgroups_ = open_cgroups(target.cgroups, request.folders.proc);
    if (cgroups_.size() > std::max<std::size_t>(1, request.plan.events.size())) {
      throw UsageError(fmt::format("{} cgroups for {} events", cgroups_.size(), request.plan.events.size()));
    }
  }

  std::vector<OpenCounter> open_all() {
    for (std::size_t event = 0; event < events_.size(); ++event) open_everywhere(event);
    for (const std::int32_t cpu : offline_) left_out_.push_back(fmt::format("CPU {}: it went offline", cpu));
    return std::move(counters_);
  }

 private:
  const EventRequest* request_of(std::size_t event) const {
    const auto index = events_[event].request;
    return index ? &request_.plan.events[*index] : nullptr;
  }

  // A process of a recorded CPU may map its files while it runs on another CPU, so the records beside samples come from
  // all CPUs (record__tracking_system_wide() in tools/perf/builtin-record.c). A PMU may serve some CPUs only.
  std::vector<Place> places_of_event(std::size_t event) const {
    const EventRequest* request = request_of(event);
    const Target& target = request_.plan.target;
    if (request == nullptr && target.on_cpus() && !target.cpus.empty()) {
      Target everywhere;
      everywhere.system_wide = true;
      return places_of(everywhere, std::nullopt, request_.folders);
    }
    std::vector<Place> places = places_;
    if (request != nullptr && !request->cpus.empty())
      std::erase_if(places, [&](const Place& place) {
        return place.cpu >= 0 &&
               std::ranges::find(request->cpus, static_cast<unsigned>(place.cpu)) == request->cpus.end();
      });
    return places;
  }

  int cgroup_of(std::size_t event) const {
    if (cgroups_.empty() || request_of(event) == nullptr) return -1;
    if (cgroups_.size() == 1) return cgroups_.front().get();
    return event < cgroups_.size() ? cgroups_[event].get() : -1;
  }

  void open_everywhere(std::size_t event) {
    const EventRequest* request = request_of(event);
    EventOpener opener(events_[event], request, request_.folders, left_out_);
    const std::size_t before = counters_.size();
    const std::vector<Place> places = places_of_event(event);
    for (const Place& place : places) open_at(event, place, opener);
    if (counters_.size() != before) return;
    const char* why = places.empty()           ? "its PMU serves none of the recorded CPUs"
                      : places.front().tid < 0 ? "the recorded CPUs are offline"
                                               : "all threads have ended";
    throw Error(fmt::format("{}: {}", events_[event].name, why));
  }

  void open_at(std::size_t event, const Place& place, EventOpener& opener) {
    CounterPlace where{.tid = place.tid, .cpu = place.cpu, .cgroup_fd = cgroup_of(event), .group_fd = -1};
    const std::size_t leader = events_[event].leader;
    if (leader != event) {
      const auto found = leaders_.find({leader, place.tid, place.cpu});
      if (found == leaders_.end()) return;  // the thread ended before the leader could be opened
      where.group_fd = found->second;
    }
    std::optional<Counter> counter = opener.open(where);
    if (!counter && place.tid < 0) offline_.insert(place.cpu);
    if (!counter) return;
    set_filter(event, *counter);
    leaders_[{event, place.tid, place.cpu}] = counter->fd();
    counters_.push_back({std::move(*counter), event, place});
  }

  void set_filter(std::size_t event, Counter& counter) {
    const EventRequest* request = request_of(event);
    if (request == nullptr || request->filter.empty() || counter.set_filter(request->filter)) return;
    throw UsageError(fmt::format("{}: the kernel refuses the filter '{}': {}", events_[event].name,
                                 printable(request->filter), std::strerror(errno)));
  }

  const CounterRequest& request_;
  std::vector<SessionEvent>& events_;
  std::vector<std::string>& left_out_;
  std::vector<Place> places_;
  std::vector<FileDescriptor> cgroups_;
  std::vector<OpenCounter> counters_;
  std::set<std::int32_t> offline_;                                              // CPUs
  std::map<std::tuple<std::size_t, std::int32_t, std::int32_t>, int> leaders_;  // event, tid, cpu: descriptor
};

}  // namespace

std::vector<OpenCounter> open_counters(const CounterRequest& request, std::vector<SessionEvent>& events,
                                       std::vector<std::string>& left_out) {
  return CounterOpening(request, events, left_out).open_all();
}

}  // namespace perfsift::record
