// Speaks the HTTP interface of ClickHouse for tests, over libchdb: the statements run in the real engine.
//   clickhouse_double FOLDER PORT [--user NAME PASSWORD] [--lose N] [--tls CERTIFICATE KEY]
// Prints its port, which is a free one for 0. Answers one request after the other. With --lose, every Nth request is
// done and its answer is lost, as by a network that breaks.
//
// What it knows is what the documents of ClickHouse say of the interface: a statement as the body of a POST, or as
// query= with data as the body; database=, param_NAME=, default_format=RowBinary; bodies of both directions in zstd;
// X-ClickHouse-User and X-ClickHouse-Key; errors as a status, a text, and X-ClickHouse-Exception-Code.

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <fmt/format.h>
#include <zstd.h>

#include "base/error.h"
#include "store/chdb/chdb_engine.h"
#include "store/load_tables.h"

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using perfsift::InputError;
using Fields = std::map<std::string, std::string>;
using Request = http::request<http::string_body>;

struct Options {
  std::string folder, user, password, certificate, key;
  std::uint16_t port = 0;
  unsigned lose = 0;
};

struct Answer {
  unsigned status = 200;
  std::string body;
  int exception = 0;
};

std::string decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = static_cast<unsigned char>(text[i]);
    if (text[i] == '%' && i + 2 < text.size()) {
      std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16);
      i += 2;
    }
    result += static_cast<char>(byte);
  }
  return result;
}

Fields fields_of(std::string_view target) {
  Fields fields;
  target.remove_prefix(std::min(target.size(), target.find('?') + 1));
  while (!target.empty()) {
    const std::string_view pair = target.substr(0, target.find('&'));
    target.remove_prefix(std::min(target.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    fields[decoded(pair.substr(0, equals))] = decoded(pair.substr(equals + 1));
  }
  return fields;
}

std::string expanded(const std::string& bytes) {
  const auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  std::string text(size, '\0');
  if (ZSTD_isError(ZSTD_decompress(text.data(), size, bytes.data(), bytes.size())))
    throw InputError("Code: 354. DB::Exception: inflate failed. (ZLIB_INFLATE_FAILED)");
  return text;
}

std::string compressed(const std::string& text) {
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 1));
  return bytes;
}

int code_in(std::string_view message) {
  int code = 1002;  // UNKNOWN_EXCEPTION
  constexpr std::string_view before = "Code: ";
  const std::size_t at = message.find(before);
  if (at != std::string_view::npos)
    std::from_chars(message.data() + at + before.size(), message.data() + message.size(), code);
  return code;
}

class Double {
 public:
  explicit Double(const Options& options)
      : options_(options), engine_(options.folder, perfsift::store::chdb::FolderUse::make) {}

  Answer answer(const Request& request) {
    if (!options_.user.empty() &&
        (request["X-ClickHouse-User"] != options_.user || request["X-ClickHouse-Key"] != options_.password))
      return {403, "Code: 516. DB::Exception: Authentication failed: password is incorrect. (AUTHENTICATION_FAILED)\n",
              516};
    try {
      return {.status = 200, .body = run(fields_of({request.target().data(), request.target().size()}), request)};
    } catch (const InputError& error) {
      const int code = code_in(error.what());
      return {code == 81 || code == 60 ? 404u : 500u, std::string(error.what()) + "\n", code};
    }
  }

 private:
  std::string run(Fields fields, const Request& request) {
    if (fields.contains("database")) engine_.query(fmt::format("USE `{}`", fields["database"]));
    std::string body = request.body();
    if (request[http::field::content_encoding] == "zstd") body = expanded(body);
    if (fields.contains("query")) return insert(fields, body);
    perfsift::store::Parameters parameters;
    for (const auto& [name, value] : fields) {
      if (name.starts_with("param_")) parameters.literal(name.substr(6), value);
    }
    return engine_.query(body, parameters);
  }

  std::string insert(Fields& fields, const std::string& rows) {
    using namespace perfsift::store;
    for (const TableColumns* const table : all_tables) {
      if (fields["query"] != fmt::format("INSERT INTO {} FORMAT RowBinary", table->name)) continue;
      const std::string file = options_.folder + ".rows";
      std::ofstream(file, std::ios::binary) << rows;
      return engine_.query(
          fmt::format("INSERT INTO {} SELECT * FROM file('{}', 'RowBinary', '{}') "
                      "SETTINGS insert_deduplication_token = '{}', max_partitions_per_insert_block = {}",
                      table->name, file, table->columns, fields["insert_deduplication_token"],
                      fields["max_partitions_per_insert_block"]));
    }
    throw InputError("Code: 62. DB::Exception: Syntax error. (SYNTAX_ERROR)");
  }

  const Options& options_;
  perfsift::store::chdb::ChdbEngine engine_;
};

template <typename Stream>
void converse(Stream& stream, Double& engine, bool is_lost) {
  beast::flat_buffer buffer;
  http::request_parser<http::string_body> parser;
  parser.body_limit(std::uint64_t{1} << 30);
  beast::error_code error;
  http::read(stream, buffer, parser, error);
  if (error) return;
  const Request request = parser.release();
  const Answer answer = engine.answer(request);
  if (is_lost) return;
  http::response<http::string_body> response(http::status(answer.status), 11);
  response.keep_alive(false);
  if (answer.exception != 0) response.set("X-ClickHouse-Exception-Code", std::to_string(answer.exception));
  const bool may_compress = request[http::field::accept_encoding] == "zstd" &&
                            request.target().find("enable_http_compression=1") != beast::string_view::npos;
  if (may_compress) response.set(http::field::content_encoding, "zstd");
  response.body() = may_compress ? compressed(answer.body) : answer.body;
  response.prepare_payload();
  http::write(stream, response, error);
}

[[noreturn]] void serve(const Options& options) {
  Double engine(options);
  asio::io_context context;
  tcp::acceptor acceptor(context, tcp::endpoint(asio::ip::make_address("127.0.0.1"), options.port));
  std::cout << acceptor.local_endpoint().port() << std::endl;
  asio::ssl::context tls(asio::ssl::context::tls_server);
  if (!options.certificate.empty()) {
    tls.use_certificate_chain_file(options.certificate);
    tls.use_private_key_file(options.key, asio::ssl::context::pem);
  }
  for (unsigned requests = 1;; ++requests) {
    tcp::socket socket = acceptor.accept();
    const bool is_lost = options.lose != 0 && requests % options.lose == 0;
    if (options.certificate.empty()) {
      converse(socket, engine, is_lost);
      continue;
    }
    beast::ssl_stream<tcp::socket> stream(std::move(socket), tls);
    beast::error_code error;
    stream.handshake(asio::ssl::stream_base::server, error);
    if (!error) converse(stream, engine, is_lost);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2) return EXIT_FAILURE;
  Options options{.folder = words[0], .port = static_cast<std::uint16_t>(std::stoul(words[1]))};
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "--lose") options.lose = static_cast<unsigned>(std::stoul(words.at(++i)));
    if (words[i] == "--user") options.user = words.at(i + 1), options.password = words.at(i + 2), i += 2;
    if (words[i] == "--tls") options.certificate = words.at(i + 1), options.key = words.at(i + 2), i += 2;
  }
  try {
    serve(options);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
