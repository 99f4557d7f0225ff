// An HTTP server for a few clients: the browser of a user, or a collector of metrics.
//
// It reads no file: each answer comes from a handler. What is read of a client is limited, in size and in time, and so
// is the number of clients, so that a client that sends without end, or nothing, harms no other.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/selection/stop_flag.h"

namespace perfsift::tools {

struct HttpRequest {
  std::string method;
  std::string path;                          // as sent, without the query
  std::map<std::string, std::string> query;  // decoded; of equal names the last one
  std::string host, origin, fetch_site;      // headers; empty: not sent
  // Set when the client has gone and no longer waits for the answer.
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

  // `address`: a name or an address of this machine. Port 0: any free port. Throws std::system_error if the server
  // cannot listen there.
  HttpServer(const std::string& address, std::uint16_t port);
  ~HttpServer();

  std::uint16_t port() const;
  // From now on SIGINT, SIGTERM and SIGHUP wait for run(), and end it.
  void stop_at_signals();
  // Answers until a signal or stop().
  void run(const Handler& handler);
  // Any thread may call it, also before run().
  void stop();

 private:
  struct Network;
  const std::unique_ptr<Network> network_;
};

}  // namespace perfsift::tools
