#include "tools/offcpu/metrics_target.h"

#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>

#include "base/error.h"
#include "tools/output/output_file.h"

namespace perfsift::offcpu {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using boost::asio::ip::tcp;

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

// What is to be answered, by one thread to another.
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

// One question and its answer. Keeps itself alive until then.
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
  // Of those who ask and then say or take nothing.
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
    return fmt::format("http://{}:{}/metrics", address_, acceptor_.local_endpoint().port());
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

}  // namespace

std::unique_ptr<MetricsTarget> MetricsTarget::open(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  const std::string port = colon == std::string::npos ? "" : place.substr(colon + 1);
  const bool is_port = !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == std::string::npos;
  if (!is_port || place.find('/') != std::string::npos) return std::make_unique<MetricsFile>(place);
  const std::string address = colon == 0 ? "127.0.0.1" : place.substr(0, colon);
  return std::make_unique<MetricsServer>(address, port);
}

}  // namespace perfsift::offcpu
