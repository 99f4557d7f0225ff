#include "symbolize/search/debuginfod_servers.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "base/share_work.h"
#include "symbolize/search/debuginfod_library.h"

namespace perfsift::symbolize {
namespace {

// The part of libcurl's interface that is used, with its numbers, which never change: CURLOPT_…, CURLINFO_… and
// CURLE_….
using curl_handle = void;

using Clock = std::chrono::steady_clock;
using Kind = DebuginfodServerAnswer::Kind;

enum CurlOption : int {
  timeout_ms = 155,
  no_signal = 99,
  follow_location = 52,
  url_text = 10002,
  error_buffer = 10010,
  write_function = 20011,
};
constexpr int response_code = 0x200000 + 2;
enum CurlError : int {
  curl_ok = 0,
  curl_failed_init = 2,
  curl_write_error = 23,
  curl_timed_out = 28,
  curl_no_such_file = 37
};
constexpr std::size_t error_size = 256;  // CURL_ERROR_SIZE

class Curl {
 public:
  Curl() {
    loaded_.look_up(init, "curl_easy_init");
    loaded_.look_up(set_option, "curl_easy_setopt");
    loaded_.look_up(perform, "curl_easy_perform");
    loaded_.look_up(info, "curl_easy_getinfo");
    loaded_.look_up(text_of, "curl_easy_strerror");
    loaded_.look_up(cleanup, "curl_easy_cleanup");
  }

  curl_handle* (*init)() = nullptr;
  int (*set_option)(curl_handle*, int option, ...) = nullptr;
  int (*perform)(curl_handle*) = nullptr;
  int (*info)(curl_handle*, int what, ...) = nullptr;
  const char* (*text_of)(int error) = nullptr;
  void (*cleanup)(curl_handle*) = nullptr;

 private:
  const DebuginfodLibrary loaded_;
};

// The first bytes of a file end the transfer.
std::size_t refuse_bytes(const char*, std::size_t, std::size_t, void*) { return 0; }

std::string address_of(const std::string& server, const BuildId& id) {
  return fmt::format("{}{}buildid/{}/debuginfo", server, server.ends_with('/') ? "" : "/", id.hex());
}

struct Outcome {
  int error = curl_ok;
  long status = 0;   // of HTTP; 0: there is none
  std::string text;  // libcurl's words for the error
};

Outcome request(const Curl& curl, const std::string& address, std::chrono::milliseconds longest) {
  curl_handle* const handle = curl.init();
  if (handle == nullptr) return {.error = curl_failed_init, .text = "libcurl does not start"};
  std::array<char, error_size> text{};
  curl.set_option(handle, url_text, address.c_str());
  curl.set_option(handle, timeout_ms, static_cast<long>(longest.count()));
  curl.set_option(handle, no_signal, 1L);
  curl.set_option(handle, follow_location, 1L);
  curl.set_option(handle, error_buffer, text.data());
  curl.set_option(handle, write_function, refuse_bytes);
  Outcome outcome{.error = curl.perform(handle)};
  curl.info(handle, response_code, &outcome.status);
  outcome.text = text.front() != '\0' ? text.data() : curl.text_of(outcome.error);
  curl.cleanup(handle);
  return outcome;
}

// Bytes that were refused have arrived. A file: has no status of HTTP.
void judge(const Outcome& outcome, std::chrono::milliseconds longest, DebuginfodServerAnswer& answer) {
  constexpr long no_status = 0, found = 200, not_found = 404;
  const bool arrived = outcome.error == curl_ok || outcome.error == curl_write_error;
  if (outcome.error == curl_timed_out)
    answer.why = fmt::format("no answer in {} s", std::chrono::ceil<std::chrono::seconds>(longest).count());
  else if (outcome.error == curl_no_such_file || (arrived && outcome.status == not_found))
    answer.kind = Kind::has_no_file;
  else if (!arrived)
    answer.why = outcome.text;
  else if (outcome.status == found || outcome.status == no_status)
    answer.kind = Kind::has_file;
  else
    answer.why = fmt::format("HTTP status {}", outcome.status);
}

}  // namespace

std::vector<std::string> debuginfod_servers(std::string_view urls) {
  std::vector<std::string> servers;
  while (!urls.empty()) {
    const std::string_view word = urls.substr(0, urls.find(' '));
    // Newer versions of libdebuginfod take words that say which signatures are verified from there on.
    if (!word.empty() && !word.starts_with("ima:")) servers.emplace_back(word);
    urls.remove_prefix(std::min(urls.size(), word.size() + 1));
  }
  return servers;
}

std::vector<DebuginfodServerAnswer> ask_debuginfod_servers(const std::vector<std::string>& servers, const BuildId& id,
                                                           std::chrono::milliseconds longest) {
  const Curl curl;
  std::vector<DebuginfodServerAnswer> answers(servers.size());
  constexpr std::size_t most_threads = 16;
  for_each_task(static_cast<unsigned>(std::clamp<std::size_t>(servers.size(), 1, most_threads)), servers.size(),
                [&](std::size_t number) {
                  const auto start = Clock::now();
                  DebuginfodServerAnswer& answer = answers[number];
                  answer.server = servers[number];
                  judge(request(curl, address_of(answer.server, id), longest), longest, answer);
                  answer.duration = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
                });
  return answers;
}

}  // namespace perfsift::symbolize
