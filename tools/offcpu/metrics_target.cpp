#include "tools/offcpu/metrics_target.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/number_in.h"
#include "output/files/output_file.h"
#include "tools/http/http_server.h"

namespace perfsift::tools {
namespace {

// The file is written under another name and renamed, so that readers never see a part of it.
class MetricsFile : public MetricsTarget {
 public:
  explicit MetricsFile(std::string path) : path_(std::move(path)) {}
  void publish(const std::string& text) override {
    output::OutputFile file(path_);
    file.write(text);
    file.commit();
  }

 private:
  const std::string path_;
};

// The text to be served, handed from one thread to another.
class PublishedText {
 public:
  void set(const std::string& text) {
    const std::lock_guard lock(mutex_);
    text_ = text;
  }
  std::string get() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

class MetricsServer : public MetricsTarget {
 public:
  MetricsServer(const std::string& address, std::uint16_t port) : address_(address), server_(address, port) {
    thread_ =
        std::thread([this] { server_.run([this](const auto& request, auto answer) { answer(answer_to(request)); }); });
  }
  ~MetricsServer() override {
    server_.stop();
    thread_.join();
  }

  void publish(const std::string& text) override { published_.set(text); }
  std::string url() const override {
    const bool is_ipv6 = address_.find(':') != std::string::npos;
    return fmt::format("http://{}:{}/metrics", is_ipv6 ? "[" + address_ + "]" : address_, server_.port());
  }

 private:
  HttpResponse answer_to(const HttpRequest& request) const {
    if (request.path != "/metrics") return {.status = 404};
    if (request.method != "GET" && request.method != "HEAD") return {.status = 405};
    return {.type = "text/plain; version=0.0.4", .body = published_.get()};
  }

  const std::string address_;
  PublishedText published_;
  HttpServer server_;
  std::thread thread_;
};

// An IPv6 address with a port has brackets around it: [::1]:9101.
std::string without_brackets(const std::string& address) {
  const bool has_brackets = address.size() > 2 && address.starts_with('[') && address.ends_with(']');
  return has_brackets ? address.substr(1, address.size() - 2) : address;
}

}  // namespace

std::unique_ptr<MetricsTarget> MetricsTarget::open(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  const bool is_address = colon != std::string::npos && place.find('/') == std::string::npos;
  if (!is_address) return std::make_unique<MetricsFile>(place);
  const std::string text = place.substr(colon + 1);
  const std::optional<std::uint16_t> port = number_in<std::uint16_t>(text);
  if (!port) {
    throw UsageError(
        fmt::format("--prometheus {}: '{}' is not a port, which is a number from 0 to 65535; a file of this "
                    "name is ./{}",
                    place, text, place));
  }
  const std::string address = colon == 0 ? "127.0.0.1" : without_brackets(place.substr(0, colon));
  try {
    return std::make_unique<MetricsServer>(address, *port);
  } catch (const std::system_error& error) {
    throw UsageError(
        fmt::format("--prometheus {}:{}: cannot listen there: {}", address, *port, error.code().message()));
  }
}

}  // namespace perfsift::tools
