#include "tools/view/access.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/random_key.h"

namespace perfsift::tools {
namespace {

std::string random_token() {
  const auto key = random_key();
  return fmt::format("{:016x}{:016x}", key[0], key[1]);
}

HttpResponse refused(unsigned status, std::string_view why) {
  return {.status = status, .body = std::string(why) + "\n"};
}

}  // namespace

bool equal_in_constant_time(std::string_view given, std::string_view expected) {
  unsigned difference = given.size() == expected.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char other = expected.empty() ? '\0' : expected[i % expected.size()];
    difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(other);
  }
  return difference == 0;
}

Access::Access(std::uint16_t port) : port_(std::to_string(port)), token_(random_token()) {}

std::string Access::link() const { return fmt::format("http://127.0.0.1:{}/{}/", port_, token_); }

bool Access::is_own_host(std::string_view host) const {
  return host == "127.0.0.1:" + port_ || host == "localhost:" + port_;
}

std::optional<HttpResponse> Access::refusal(const HttpRequest& request, std::string& name) const {
  if (!is_own_host(request.host)) return refused(421, "this server is not the one that the request names");
  constexpr std::string_view scheme = "http://";
  const bool is_foreign = !request.origin.empty() &&
                          !(request.origin.starts_with(scheme) && is_own_host(request.origin.substr(scheme.size())));
  // A link that the user clicks comes with "none", or from wherever the link is; then it is a page that is asked for.
  const bool is_crossing = request.fetch_site == "cross-site" || request.fetch_site == "same-site";
  const std::size_t slash = request.path.find('/', 1);
  const bool asks_for_page = slash != std::string::npos && slash + 1 == request.path.size();
  if (is_foreign || (is_crossing && !asks_for_page)) return refused(403, "requests of other pages are not answered");
  if (!request.path.starts_with('/')) return refused(400, "this is no path");
  const std::string_view given =
      std::string_view(request.path).substr(1, slash == std::string::npos ? slash : slash - 1);
  if (!equal_in_constant_time(given, token_))
    return refused(403, "the link that perfsift view printed has a token, which is missing or wrong here");
  if (request.method != "GET" && request.method != "HEAD") return refused(405, "this server is only read");
  if (slash == std::string::npos) return refused(404, "the link ends in a slash");
  name = request.path.substr(slash + 1);
  return {};
}

}  // namespace perfsift::tools
