#include "tools/record/target_options.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <pwd.h>

#include "base/error.h"
#include "record/machine/number_text.h"
#include "tools/record/size_options.h"

namespace perfsift::tools {
namespace {

namespace po = options::po;

std::vector<std::string_view> words_in(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    words.push_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return words;
}

std::optional<std::int32_t> id_in(std::string_view text) {
  const auto number = record::read_number(text);
  return number && *number <= std::numeric_limits<std::int32_t>::max()
             ? std::optional(static_cast<std::int32_t>(*number))
             : std::nullopt;
}

std::vector<std::int32_t> ids_in(std::string_view option, const std::string& list) {
  std::vector<std::int32_t> ids;
  for (const std::string_view word : words_in(list)) {
    const auto id = id_in(word);
    if (!id) throw UsageError(fmt::format("{} {}: '{}' is no number", option, list, word));
    ids.push_back(*id);
  }
  return ids;
}

std::uint32_t user_named(const std::string& name) {
  if (const auto id = id_in(name)) return static_cast<std::uint32_t>(*id);
  const passwd* const entry = getpwnam(name.c_str());
  if (entry == nullptr) throw UsageError("--uid " + name + ": no such user");
  return entry->pw_uid;
}

}  // namespace

void TargetOptions::add_to(po::options_description& options) {
  auto add = options.add_options();
  add("all-cpus,a", po::bool_switch(&all_), "record all threads of the machine");
  add("pid,p", po::value(&processes_)->value_name("PID,…"), "record processes that run");
  add("tid,t", po::value(&threads_)->value_name("TID,…"), "record threads that run");
  add("uid,u", po::value(&user_)->value_name("USER"), "record the processes of a user");
  add("cpu,C", po::value(&cpus_)->value_name("CPUS"), "record all threads of some CPUs: 0-3,8");
  add("cgroup,G", po::value(&cgroups_)->value_name("GROUP,…"),
      "record control groups; one for all events, or one for each");
  add("no-inherit,i", po::bool_switch(&no_inherit_), "do not record threads and processes that recorded ones start");
}

void TargetOptions::apply(const std::vector<std::string>& command, record::SessionPlan& plan) const {
  record::Target& target = plan.target;
  target.processes = ids_in("--pid", processes_);
  target.threads = ids_in("--tid", threads_);
  if (!user_.empty()) target.user = user_named(user_);
  if (!cpus_.empty()) target.cpus = cpus_in(cpus_);
  for (const std::string_view group : words_in(cgroups_)) target.cgroups.emplace_back(group);
  target.command = command;
  target.inherit = !no_inherit_;
  const bool of_tasks = !target.processes.empty() || !target.threads.empty() || target.user;
  if (of_tasks && all_) throw UsageError("--all-cpus excludes --pid, --tid and --uid");
  const bool names_nobody = !of_tasks && command.empty();
  target.system_wide =
      all_ || (all_by_default_ && names_nobody) || !target.cgroups.empty() || (!target.cpus.empty() && !of_tasks);
  if (!of_tasks && !target.system_wide && command.empty())
    throw UsageError("nothing to record: name a command, --all-cpus, --pid, --tid, --uid, --cpu or --cgroup");
}

}  // namespace perfsift::tools
