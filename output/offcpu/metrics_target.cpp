#include "output/offcpu/metrics_target.h"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>

#include "base/error.h"
#include "output/files/output_file.h"

namespace perfsift::output {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using boost::asio::ip::tcp;

// The file is written under another name and renamed, so that readers never see a part of it.
class MetricsFile : public MetricsTarget {
 public:
  explicit MetricsFile(std::string path) : path_(std::move(path)) {}
  void publish(const std::string& text) override {
    OutputFile file(path_);
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

// One request and its response. The object keeps itself alive until the end of the response.
class Conversation : public std::enable_shared_from_this<Conversation> {
 public:
  Conversation(tcp::socket socket, const PublishedText& published)
      : stream_(std::move(socket)), published_(published) {}

  void start() {
    stream_.expires_after(patience);
    http::async_read(stream_, buffer_, request_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error) self->answer();
    });
  }

 private:
  // How long a client may send or take nothing.
  static constexpr std::chrono::seconds patience{10};

  void answer() {
    const bool found = request_.target() == "/metrics";
    const bool reads = request_.method() == http::verb::get || request_.method() == http::verb::head;
    response_.version(request_.version());
    response_.keep_alive(false);
    response_.result(!found ? http::status::not_found : reads ? http::status::ok : http::status::method_not_allowed);
    if (found && reads) {
      response_.set(http::field::content_type, "text/plain; version=0.0.4");
      response_.body() = published_.get();
    }
    response_.prepare_payload();
    if (request_.method() == http::verb::head) response_.body().clear();
    http::async_write(stream_, response_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, error);
    });
  }

  beast::tcp_stream stream_;
  const PublishedText& published_;
  beast::flat_buffer buffer_;
  http::request<http::empty_body> request_;
  http::response<http::string_body> response_;
};

class MetricsServer : public MetricsTarget {
 public:
  MetricsServer(const std::string& address, const std::string& port) : address_(address), acceptor_(context_) {
    try {
      const tcp::endpoint place = *tcp::resolver(context_).resolve(address, port).begin();
      acceptor_.open(place.protocol());
      acceptor_.set_option(tcp::acceptor::reuse_address(true));
      acceptor_.bind(place);
      acceptor_.listen();
    } catch (const boost::system::system_error& error) {
      throw UsageError(
          fmt::format("--prometheus {}:{}: cannot listen there: {}", address, port, error.code().message()));
    }
    accept();
    thread_ = std::thread([this] { context_.run(); });
  }
  ~MetricsServer() override {
    context_.stop();
    thread_.join();
  }

  void publish(const std::string& text) override { published_.set(text); }
  std::string url() const override {
    const bool is_ipv6 = address_.find(':') != std::string::npos;
    return fmt::format("http://{}:{}/metrics", is_ipv6 ? "[" + address_ + "]" : address_,
                       acceptor_.local_endpoint().port());
  }

 private:
  void accept() {
    acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (!error) std::make_shared<Conversation>(std::move(socket), published_)->start();
      accept();
    });
  }

  const std::string address_;
  PublishedText published_;
  boost::asio::io_context context_;
  tcp::acceptor acceptor_;
  std::thread thread_;
};

// The resolver would take the low 16 bits of a larger number, so ports are checked here.
bool is_port(const std::string& text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, port);
  return error == std::errc() && parsed == end;
}

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
  const std::string port = place.substr(colon + 1);
  if (!is_port(port)) {
    throw UsageError(
        fmt::format("--prometheus {}: '{}' is not a port, which is a number from 0 to 65535; a file of this "
                    "name is ./{}",
                    place, port, place));
  }
  return std::make_unique<MetricsServer>(colon == 0 ? "127.0.0.1" : without_brackets(place.substr(0, colon)), port);
}

}  // namespace perfsift::output
