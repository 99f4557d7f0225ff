// Requests to the server of perfsift view, one per line: "save as=svg&filter=…". All are sent before the first answer.
// Before a name, "!" means a client that leaves at once, and "?" a request without the token. Each request has one
// answer.
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tests/support/full_recording.h"
#include "tests/support/temporary.h"
#include "tools/view/live_view.h"

using namespace perfsift;

// libtraceevent leaks memory when it cannot parse a description.
extern "C" const char* __lsan_default_suppressions() { return "leak:libtraceevent"; }

namespace {

constexpr std::size_t most_requests = 32;

// A server of two recordings, and of text. Lives until the process ends.
class View {
 public:
  View() {
    boost::program_options::options_description description("Options");
    inputs_.add_to(description);
    const std::vector<std::string> paths{
        "-q",
        "-j1",
        "--no-cache",
        folder_.write("full.data", test::full_recording().file()),
        folder_.write("counters.data", test::recording_of_counters().file()),
        folder_.write("text.folded", std::string_view("main;work 3\nmain;wait 2\n")),
    };
    if (!options::parse(paths, "Usage: fuzz\n", description, tools::ReadingOptions::positional)) __builtin_trap();
    inputs_.prepare();
    reading_.emplace(inputs_, stacks_, "perfsift view");
    live_.emplace(access_, tools::Viewed{.inputs = inputs_, .reading = *reading_, .stacks = stacks_});
    token_ = access_.link().substr(access_.link().find('/', sizeof "http://"));
  }

  void ask(std::string_view line) {
    tools::HttpRequest request{.method = "GET", .path = token_, .query = {}, .host = "127.0.0.1:80"};
    request.gone = std::make_shared<analysis::StopFlag>();
    if (line.starts_with('!')) line.remove_prefix(1), request.gone->stop();
    if (line.starts_with('?')) line.remove_prefix(1), request.path = "/";
    const std::size_t blank = line.find(' ');
    request.path += line.substr(0, blank);
    if (blank != std::string_view::npos) add_query(line.substr(blank + 1), request);
    const auto answered = std::make_shared<bool>(false);
    ++asked_;
    live_->answer(request, [this, answered](const tools::HttpResponse& response) {
      const std::lock_guard lock(mutex_);
      if (std::exchange(*answered, true) || response.status < 200 || response.status > 499) __builtin_trap();
      if (response.type == "application/json" && !output::Json::accept(response.body)) __builtin_trap();
      ++answered_;
      changed_.notify_one();
    });
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return answered_ == asked_; });
  }

 private:
  static void add_query(std::string_view text, tools::HttpRequest& request) {
    while (!text.empty()) {
      const std::string_view part = text.substr(0, text.find('&'));
      text.remove_prefix(std::min(text.size(), part.size() + 1));
      const std::size_t equals = part.find('=');
      request.query[std::string(part.substr(0, equals))] =
          equals == std::string_view::npos ? std::string() : std::string(part.substr(equals + 1));
    }
  }

  const test::TemporaryDirectory folder_;
  const tools::Access access_{80};
  std::string token_;
  tools::ProfileCommand inputs_;
  const analysis::StackOptions stacks_;
  std::optional<tools::PageReading> reading_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t asked_ = 0, answered_ = 0;
  std::optional<tools::LiveView> live_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static View view;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  for (std::size_t i = 0; i < most_requests && !text.empty(); ++i) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    view.ask(line);
  }
  view.wait();
  return 0;
}
