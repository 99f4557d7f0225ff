#include "options/interval_filter_options.h"

#include <set>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "base/duration.h"
#include "base/error.h"
#include "base/number_in.h"
#include "filter/perf_lists.h"

namespace perfsift::options {
namespace {

constexpr std::uint64_t microsecond = 1000;

template <typename T>
std::set<T> set_of(const std::vector<T>& list) {
  return {list.begin(), list.end()};
}

std::uint32_t state_mask(std::string_view digits) {
  if (const auto mask = number_in<std::uint32_t>(digits)) return *mask;
  throw UsageError(fmt::format("--state {}: the kernel's bits are a number below 2^32", digits));
}

std::set<char> state_letters(const std::string& list) {
  std::set<char> letters;
  std::istringstream states(list);
  for (std::string state; std::getline(states, state, ',');) {
    if (state.size() != 1 || std::string_view("RSDTtXZPIN?").find(state[0]) == std::string_view::npos) {
      throw UsageError(fmt::format("--state {}: there are R, S, D, T, t, X, Z, P, I, N and ?", state));
    }
    letters.insert(state[0]);
  }
  return letters;
}

}  // namespace

std::uint64_t duration_option(const std::string& option, const std::string& text, std::uint64_t unit) {
  const perfsift::TimeUnit units[] = {{"", unit}, {"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}};
  const auto duration = perfsift::parse_duration(text, units);
  if (!duration) throw UsageError(fmt::format("{} {}: not a time such as 500us, 1.5ms or 2s", option, text));
  return *duration;
}

void IntervalFilterOptions::add_to(po::options_description& options) {
  auto add = options.add_options();
  add("comms", po::value(&comm_lists_)->value_name("NAME,...")->composing(), "only threads with these names");
  add("pid,p", po::value(&pid_lists_)->value_name("PID,...")->composing(), "only threads of these processes");
  add("pids", po::value(&more_pid_lists_)->value_name("PID,...")->composing(), "another name of --pid");
  add("tid,t", po::value(&tid_lists_)->value_name("TID,...")->composing(), "only these threads");
  add("tids", po::value(&more_tid_lists_)->value_name("TID,...")->composing(), "another name of --tid");
  add("user-threads,u", po::bool_switch(&user_), "only user threads");
  add("kernel-threads,k", po::bool_switch(&kernel_), "only kernel threads");
  add("min-block,m", po::value(&min_text_)->value_name("TIME"),
      "only intervals of at least this length; the default unit is us");
  add("max-block,M", po::value(&max_text_)->value_name("TIME"),
      "only intervals of at most this length; the default unit is us");
  add("state", po::value(&states_text_)->value_name("STATES"),
      "only threads that left the CPU in these states: S,D,R or a bit mask of the kernel");
}

offcpu::IntervalLimits IntervalFilterOptions::limits() const {
  if (user_ && kernel_) throw UsageError("--user-threads and --kernel-threads together leave no threads");
  offcpu::IntervalLimits limits{.user_threads = user_, .kernel_threads = kernel_};
  for (const std::string& list : pid_lists_) limits.pids.merge(set_of(filter::ids_in("--pid", list)));
  for (const std::string& list : more_pid_lists_) limits.pids.merge(set_of(filter::ids_in("--pids", list)));
  for (const std::string& list : tid_lists_) limits.tids.merge(set_of(filter::ids_in("--tid", list)));
  for (const std::string& list : more_tid_lists_) limits.tids.merge(set_of(filter::ids_in("--tids", list)));
  for (const std::string& list : comm_lists_) limits.comms.merge(set_of(filter::names_in("--comms", list)));
  if (!min_text_.empty()) limits.min_length = duration_option("--min-block", min_text_, microsecond);
  if (!max_text_.empty()) limits.max_length = duration_option("--max-block", max_text_, microsecond);
  if (states_text_.empty()) return limits;
  if (states_text_.find_first_not_of("0123456789") == std::string::npos) {
    limits.state_mask = state_mask(states_text_);
  } else {
    limits.state_letters = state_letters(states_text_);
  }
  return limits;
}

}  // namespace perfsift::options
