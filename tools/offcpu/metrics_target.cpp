#include "tools/offcpu/metrics_target.h"

#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <httplib.h>

#include "base/error.h"
#include "tools/output/output_file.h"

namespace perfsift::offcpu {
namespace {

// Written beside its place and renamed, so that nobody reads half of it.
class MetricsFile : public MetricsTarget {
 public:
  explicit MetricsFile(std::string path) : path_(std::move(path)) {}
  void publish(const std::string& text) override {
    tools::OutputFile file(path_);
    file.write(text);
    file.commit();
  }

 private:
  const std::string path_;
};

class MetricsServer : public MetricsTarget {
 public:
  MetricsServer(const std::string& address, int port) : address_(address) {
    server_.Get("/metrics", [this](const httplib::Request&, httplib::Response& response) {
      const std::lock_guard lock(mutex_);
      response.set_content(text_, "text/plain; version=0.0.4");
    });
    port_ = port == 0 ? server_.bind_to_any_port(address_) : server_.bind_to_port(address_, port) ? port : -1;
    if (port_ < 0) throw UsageError(fmt::format("--prometheus {}:{}: cannot listen there", address, port));
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();  // or stop() would be too early
  }
  ~MetricsServer() override {
    server_.stop();
    thread_.join();
  }

  void publish(const std::string& text) override {
    const std::lock_guard lock(mutex_);
    text_ = text;
  }
  std::string url() const override { return fmt::format("http://{}:{}/metrics", address_, port_); }

 private:
  const std::string address_;
  int port_ = -1;
  httplib::Server server_;
  std::mutex mutex_;
  std::string text_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<MetricsTarget> MetricsTarget::open(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  const std::string port = colon == std::string::npos ? "" : place.substr(colon + 1);
  const bool is_port = !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == std::string::npos;
  if (!is_port || place.find('/') != std::string::npos) return std::make_unique<MetricsFile>(place);
  const std::string address = colon == 0 ? "127.0.0.1" : place.substr(0, colon);
  return std::make_unique<MetricsServer>(address, std::stoi(port));
}

}  // namespace perfsift::offcpu
