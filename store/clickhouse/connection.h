// A connection over TCP, with TLS or without, whose operations end in time: a stream for the synchronous operations of
// Beast.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http/error.hpp>

#include "store/clickhouse/tls_session.h"

namespace perfsift::store::clickhouse {

class Connection {
 public:
  using error_code = boost::beast::error_code;
  using Places = boost::asio::ip::tcp::resolver::results_type;

  // All operations until the next call together; the error is beast::error::timeout otherwise.
  void end_within(std::chrono::seconds time) { socket_.expires_after(time); }

  Places look_up(const std::string& host, const std::string& port, error_code& error) {
    return boost::asio::ip::tcp::resolver(context_).resolve(host, port, error);
  }

  void connect(const Places& places, error_code& error) {
    wait_for([&](auto done) { socket_.async_connect(places, done); }, error);
    // Otherwise the last bytes of a request wait until the server has confirmed those before.
    error_code ignored;
    if (!error) socket_.socket().set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  }

  // openssl() must not be missing.
  void start_tls(const std::string& host, error_code& error) {
    tls_.emplace(host);
    take([this] { return tls_->shake_hands(); }, error);
  }

  // Why TLS failed, in words; empty: it did not.
  std::string tls_failure() const { return tls_ ? tls_->failure() : std::string(); }

  template <typename Buffers>
  std::size_t read_some(const Buffers& buffers, error_code& error) {
    const auto buffer = first_of<boost::asio::mutable_buffer>(buffers);
    if (!tls_) return receive(buffer, error);
    return take([&] { return tls_->read(buffer.data(), buffer.size()); }, error);
  }

  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers, error_code& error) {
    const auto buffer = first_of<boost::asio::const_buffer>(buffers);
    if (!tls_) return send(buffer, error);
    return take([&] { return tls_->write(buffer.data(), buffer.size()); }, error);
  }

  // Streams of Beast have these, too. Nothing here calls them.
  template <typename Buffers>
  std::size_t read_some(const Buffers& buffers) {
    error_code error;
    const std::size_t bytes = read_some(buffers, error);
    return error ? throw boost::system::system_error(error) : bytes;
  }
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers) {
    error_code error;
    const std::size_t bytes = write_some(buffers, error);
    return error ? throw boost::system::system_error(error) : bytes;
  }

 private:
  template <typename Buffer, typename Buffers>
  static Buffer first_of(const Buffers& buffers) {
    const auto end = boost::asio::buffer_sequence_end(buffers);
    for (auto at = boost::asio::buffer_sequence_begin(buffers); at != end; ++at) {
      if (const Buffer buffer(*at); buffer.size() != 0) return buffer;
    }
    return {};
  }

  // Only asynchronous operations of Beast have timeouts. Runs one to its end, and returns the number of bytes that it
  // moved.
  template <typename Start>
  std::size_t wait_for(const Start& start, error_code& error) {
    std::size_t bytes = 0;
    start([&](error_code result, const auto& outcome) {
      error = result;
      if constexpr (std::is_same_v<decltype(outcome), const std::size_t&>) bytes = outcome;
    });
    context_.restart();
    context_.run();
    return bytes;
  }

  std::size_t receive(boost::asio::mutable_buffer buffer, error_code& error) {
    return wait_for([&](auto done) { socket_.async_read_some(buffer, done); }, error);
  }

  std::size_t send(boost::asio::const_buffer buffer, error_code& error) {
    return wait_for([&](auto done) { socket_.async_write_some(buffer, done); }, error);
  }

  // Takes a step of TLS to its end, with what it sends and receives.
  template <typename TakeStep>
  std::size_t take(const TakeStep& take_step, error_code& error) {
    while (true) {
      const TlsSession::Step step = take_step();
      send_outgoing(error);
      if (step.outcome == TlsSession::Outcome::failed) error = boost::asio::error::no_protocol_option;
      if (step.outcome == TlsSession::Outcome::ended) error = boost::asio::error::eof;
      if (error || step.outcome == TlsSession::Outcome::done) return step.bytes;
      receive_incoming(error);
      if (error) return 0;
    }
  }

  void send_outgoing(error_code& error) {
    error = {};
    while (const std::size_t bytes = tls_->outgoing(room_.data(), room_.size())) {
      for (std::size_t sent = 0; sent < bytes && !error;)
        sent += send(boost::asio::buffer(room_.data() + sent, bytes - sent), error);
    }
  }

  // A connection that ends in the middle of TLS was cut off: nothing read so far is an answer.
  void receive_incoming(error_code& error) {
    const std::size_t bytes = receive(boost::asio::buffer(room_), error);
    if (error == boost::asio::error::eof) error = boost::beast::http::error::end_of_stream;
    if (!error) tls_->incoming(room_.data(), bytes);
  }

  boost::asio::io_context context_{1};
  boost::beast::tcp_stream socket_{context_};
  std::optional<TlsSession> tls_;
  std::array<char, 1 << 15> room_;
};

}  // namespace perfsift::store::clickhouse
