// Who may ask the server of perfsift view: the browser of the user, by the link that was printed.
//
// Other programs of this machine, and web pages in the user's browser, can reach the server, too. The link has a random
// token, which they do not know. A web page whose name leads to this machine (DNS rebinding) sends its own name as
// Host; a request from another page has its Origin, or is marked by the browser (Sec-Fetch-Site).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tools/http/http_server.h"

namespace perfsift::tools {

// Whether the texts are equal, in a time that depends only on the length of `given`.
bool equal_in_constant_time(std::string_view given, std::string_view expected);

class Access {
 public:
  // Makes a new random token.
  explicit Access(std::uint16_t port);

  std::string link() const;

  // The refusal of a request that may not be answered; nothing: `name` gets the part of the path behind the token.
  std::optional<HttpResponse> refusal(const HttpRequest& request, std::string& name) const;

 private:
  bool is_own_host(std::string_view host) const;

  const std::string port_;
  const std::string token_;
};

}  // namespace perfsift::tools
