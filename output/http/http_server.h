// An HTTP server for the browser of one user on this machine.
//
// It listens on the loopback address alone, and reads no file: each answer comes from a handler. What is read of a
// client is limited, in size and in time, so that a client that sends without end, or nothing, harms nobody.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/selection/stop_flag.h"

namespace perfsift::tools {

struct HttpRequest {
  std::string method;
  std::string path;                          // as sent, without the query
  std::map<std::string, std::string> query;  // decoded; of equal names the last one
  std::string host, origin, fetch_site;      // headers; empty: not sent
  // Set when the client has gone: nobody waits for the answer.
  std::shared_ptr<analysis::StopFlag> gone;
};

struct HttpResponse {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

// Sends the response. Any thread may call it, once.
using HttpAnswer = std::function<void(HttpResponse response)>;

class HttpServer {
 public:
  // Called on the thread of run().
  using Handler = std::function<void(const HttpRequest& request, HttpAnswer answer)>;

  // Port 0: any free port. From now on SIGINT, SIGTERM and SIGHUP wait for run(). Throws UsageError if the port is in
  // use.
  explicit HttpServer(std::uint16_t port);
  ~HttpServer();

  std::uint16_t port() const;
  // Answers until one of these signals, then returns.
  void run(const Handler& handler);

 private:
  struct Network;
  const std::unique_ptr<Network> network_;
};

}  // namespace perfsift::tools
