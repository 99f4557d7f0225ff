#include "tools/filter/store_explanation.h"

#include <ostream>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/printable.h"
#include "store/url.h"

namespace perfsift::tools {
namespace {

class Parts {
 public:
  explicit Parts(std::ostream& out) : out_(out) {}

  void print(const store::Selection& selection) {
    for (const auto& [name, values] : selection.labels) {
      const bool is_service = name == "service";
      say(name, values,
          is_service ? "decided by the store, which finds samples by this label in its index"
                     : "decided by the store, for each recording");
    }
    say("event", selection.events, "decided by the store, in its index where a service is chosen");
    say("thread", selection.threads, "decided by the store, for each row of samples");
    say("cgroup", selection.cgroups, "decided by the store, for each row of samples");
    if (selection.from) say("from", {store::time_text(*selection.from)}, of_times);
    if (selection.to) say("to", {store::time_text(*selection.to)}, of_times);
    if (!any_) out_ << "all recordings: the store adds up all of its samples\n";
    out_ << "--event of a command: decided by the store, once its events are known\n"
            "options on stacks, such as --kernel-only, --no-inline or --interrupts: decided here, for each stack and "
            "sum of "
            "the store\n"
            "--filter: not possible, as rows of a store are sums\n";
  }

 private:
  static constexpr std::string_view of_times = "decided by the store, in its index by hours, and then by ten seconds";

  void say(std::string_view name, const std::vector<std::string>& values, std::string_view how) {
    if (values.empty()) return;
    any_ = true;
    out_ << printable(fmt::format("{} = {}", name, fmt::join(values, " or "))) << ": " << how << '\n';
  }

  std::ostream& out_;
  bool any_ = false;
};

}  // namespace

void print_store_parts(const std::string& url, std::ostream& out) {
  Parts(out).print(store::parse_store_url(url).selection);
}

}  // namespace perfsift::tools
