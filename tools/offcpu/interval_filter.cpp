#include "tools/offcpu/interval_filter.h"

#include <charconv>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "base/error.h"
#include "tools/duration.h"
#include "tools/filter/perf_lists.h"

namespace perfsift::offcpu {
namespace {

namespace po = boost::program_options;

constexpr std::uint64_t microsecond = 1000;

// The thread that makes all other threads of the kernel.
constexpr std::int32_t kthreadd = 2;

template <typename T>
std::set<T> set_of(const std::vector<T>& list) {
  return {list.begin(), list.end()};
}

std::uint32_t state_mask(std::string_view digits) {
  std::uint32_t mask = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), mask).ec == std::errc()) return mask;
  throw UsageError(fmt::format("--state {}: the kernel's bits are a number below 2^32", digits));
}

}  // namespace

bool is_kernel_thread(const ThreadClock& thread, const reader::Timeline& timeline, std::uint64_t now) {
  return thread.pid == kthreadd || timeline.parent(thread.pid, {now, ~std::uint64_t{0}}) == kthreadd;
}

std::uint64_t duration_option(const std::string& option, const std::string& text, std::uint64_t unit) {
  const tools::TimeUnit units[] = {{"", unit}, {"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}};
  const auto duration = tools::parse_duration(text, units);
  if (!duration) throw UsageError(fmt::format("{} {}: not a time such as 500us, 1.5ms or 2s", option, text));
  return *duration;
}

void IntervalFilter::add_to(po::options_description& options) {
  auto add = options.add_options();
  add("comms", po::value(&comm_lists_)->value_name("NAME,...")->composing(), "only threads of these names");
  add("pid,p", po::value(&pid_lists_)->value_name("PID,...")->composing(), "only threads of these processes");
  add("pids", po::value(&more_pid_lists_)->value_name("PID,...")->composing(), "the same");
  add("tid,t", po::value(&tid_lists_)->value_name("TID,...")->composing(), "only these threads");
  add("tids", po::value(&more_tid_lists_)->value_name("TID,...")->composing(), "the same");
  add("user-threads,u", po::bool_switch(&user_), "only threads of programs");
  add("kernel-threads,k", po::bool_switch(&kernel_), "only threads of the kernel");
  add("min-block,m", po::value(&min_text_)->value_name("TIME"),
      "only intervals at least so long; a number alone is us");
  add("max-block,M", po::value(&max_text_)->value_name("TIME"), "only intervals at most so long; a number alone is us");
  add("state", po::value(&states_text_)->value_name("STATES"),
      "only these states at the switch: letters (S,D,R) or the kernel's bits as a number");
}

void IntervalFilter::prepare() {
  if (user_ && kernel_) throw UsageError("--user-threads and --kernel-threads leave nothing together");
  for (const std::string& list : pid_lists_) pids_.merge(set_of(tools::ids_in("--pid", list)));
  for (const std::string& list : more_pid_lists_) pids_.merge(set_of(tools::ids_in("--pids", list)));
  for (const std::string& list : tid_lists_) tids_.merge(set_of(tools::ids_in("--tid", list)));
  for (const std::string& list : more_tid_lists_) tids_.merge(set_of(tools::ids_in("--tids", list)));
  for (const std::string& list : comm_lists_) comms_.merge(set_of(tools::names_in("--comms", list)));
  if (!min_text_.empty()) min_block_ = duration_option("--min-block", min_text_, microsecond);
  if (!max_text_.empty()) max_block_ = duration_option("--max-block", max_text_, microsecond);
  if (states_text_.empty()) return;
  if (states_text_.find_first_not_of("0123456789") == std::string::npos) {
    mask_ = state_mask(states_text_);
    return;
  }
  letters_.emplace();
  std::istringstream states(states_text_);
  for (std::string state; std::getline(states, state, ',');) {
    if (state.size() != 1 || std::string_view("RSDTtXZPIN?").find(state[0]) == std::string_view::npos) {
      throw UsageError(fmt::format("--state {}: there are R, S, D, T, t, X, Z, P, I, N and ?", state));
    }
    letters_->insert(state[0]);
  }
}

bool IntervalFilter::keeps(const ThreadClock& thread, const reader::Timeline& timeline, const Names& names,
                           std::uint64_t now) const {
  if (!pids_.empty() && !pids_.contains(thread.pid)) return false;
  if (!tids_.empty() && !tids_.contains(thread.tid)) return false;
  if (!comms_.empty() && !keeps_name(thread, names)) return false;
  return !(user_ || kernel_) || is_kernel_thread(thread, timeline, now) == kernel_;
}

// A thread without a name is called by its number.
bool IntervalFilter::keeps_name(const ThreadClock& thread, const Names& names) const {
  if (thread.name == 0) return comms_.contains(names.recorded_comm(thread));
  if (known_names_.size() <= thread.name) known_names_.resize(thread.name + std::size_t{1});
  Known& known = known_names_[thread.name];
  if (known == Known::not_yet) known = comms_.contains(names.recorded_comm(thread)) ? Known::yes : Known::no;
  return known == Known::yes;
}

// 0 of the mask is what bcc takes it for: exactly the threads that were ready to run.
bool IntervalFilter::keeps(const Interval& interval) const {
  if (interval.length() < min_block_ || interval.length() > max_block_) return false;
  if (letters_ && !letters_->contains(interval.state.letter())) return false;
  if (mask_) return *mask_ == 0 ? interval.state.is_runnable() : (interval.state.bits() & *mask_) != 0;
  return true;
}

}  // namespace perfsift::offcpu
