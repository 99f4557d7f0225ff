#include "store/clickhouse/clickhouse_engine.h"

#include <atomic>
#include <cstdlib>
#include <thread>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "base/owned.h"
#include "store/clickhouse/zstd_text.h"
#include "store/recording_rows.h"

namespace perfsift::store::clickhouse {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A server that gives prepared answers, byte for byte, one for each connection, and keeps the requests.
class PreparedServer {
 public:
  explicit PreparedServer(std::vector<std::string> answers) : answers_(std::move(answers)) {
    sockaddr_in place{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof place;
    EXPECT_EQ(bind(socket_.get(), reinterpret_cast<sockaddr*>(&place), size), 0);
    EXPECT_EQ(listen(socket_.get(), 8), 0);
    getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&place), &size);
    port_ = ntohs(place.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~PreparedServer() {
    shutdown(socket_.get(), SHUT_RDWR);
    thread_.join();
  }

  Server place() const { return {.host = "127.0.0.1", .port = port_}; }
  // After the last answer.
  const std::vector<std::string>& requests() const { return requests_; }

 private:
  void serve() {
    for (const std::string& answer : answers_) {
      const FileDescriptor client(accept(socket_.get(), nullptr, nullptr));
      if (!client) return;
      requests_.push_back(request_of(client.get()));
      (void)!write(client.get(), answer.data(), answer.size());
    }
  }
  static std::string request_of(int client) {
    std::string request;
    while (true) {
      char bytes[4096];
      const ssize_t size = read(client, bytes, sizeof bytes);
      if (size <= 0) return request;
      request.append(bytes, static_cast<std::size_t>(size));
      const std::size_t head = request.find("\r\n\r\n"), length = request.find("Content-Length: ");
      if (head == std::string::npos || length == std::string::npos) continue;
      if (request.size() >= head + 4 + std::stoul(request.substr(length + 16))) return request;
    }
  }

  std::vector<std::string> answers_, requests_;
  FileDescriptor socket_{socket(AF_INET, SOCK_STREAM, 0)};
  std::uint16_t port_ = 0;
  std::thread thread_;
};

std::string answer(const std::string& body, const std::string& headers = {}, const std::string& status = "200 OK") {
  return "HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n\r\n" + body;
}

std::string exception(const std::string& code, const std::string& text) {
  return answer(text, "X-ClickHouse-Exception-Code: " + code + "\r\n", "500 Internal Server Error");
}

// What the engine says of a query.
std::string why(ClickhouseEngine& engine) {
  try {
    (void)engine.query("SELECT 1");
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

struct ClickhouseEngineTest : testing::Test {
  ClickhouseEngineTest() {
    for (const char* name :
         {"PERFSIFT_CREDENTIALS", "CLICKHOUSE_USER", "CLICKHOUSE_PASSWORD", "HOME", "XDG_CONFIG_HOME"})
      unsetenv(name);
  }
};

TEST_F(ClickhouseEngineTest, AsksWithParametersInTheAddressAndTheStatementAsTheBody) {
  PreparedServer server({answer("rows")});
  {
    ClickhouseEngine engine(server.place(), "my db");
    Parameters parameters;
    parameters.text("host", "a&b");
    EXPECT_EQ(engine.query("SELECT {host:String}", parameters), "rows");
  }
  const std::string& request = server.requests().front();
  EXPECT_THAT(request, testing::StartsWith("POST /?default_format=RowBinary&wait_end_of_query=1"));
  EXPECT_THAT(request, HasSubstr("&database=my%20db&param_host=612662 HTTP/1.1\r\n"));
  EXPECT_THAT(request, testing::EndsWith("\r\n\r\nSELECT {host:String}"));
  EXPECT_THAT(request, Not(HasSubstr("X-ClickHouse-User")));
}

TEST_F(ClickhouseEngineTest, RowsAreInsertedCompressedWithATokenThatStaysTheSame) {
  PreparedServer server({answer("", "", "503 Service Unavailable"), answer("")});
  ClickhouseEngine(server.place(), "db").insert(events_table, "some rows");
  ASSERT_EQ(server.requests().size(), 2u);
  EXPECT_EQ(server.requests()[0], server.requests()[1]);
  const std::string& request = server.requests().front();
  EXPECT_THAT(request, HasSubstr("&query=INSERT%20INTO%20events%20FORMAT%20RowBinary&insert_deduplication_token="));
  EXPECT_THAT(request, HasSubstr("Content-Encoding: zstd\r\n"));
  EXPECT_EQ(expanded(request.substr(request.find("\r\n\r\n") + 4), 100), "some rows");
}

TEST_F(ClickhouseEngineTest, AnAnswerIsExpanded) {
  PreparedServer server({answer(compressed("rows"), "Content-Encoding: zstd\r\n")});
  EXPECT_EQ(ClickhouseEngine(server.place(), "db").query("SELECT 1"), "rows");
}

TEST_F(ClickhouseEngineTest, AnAnswerThatEndsEarlyIsAskedForAgain) {
  PreparedServer server({"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nro", "", answer("rows")});
  EXPECT_EQ(ClickhouseEngine(server.place(), "db").query("SELECT 1"), "rows");
  PreparedServer chunks({"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nro\r\n", answer("rows")});
  EXPECT_EQ(ClickhouseEngine(chunks.place(), "db").query("SELECT 1"), "rows");
}

TEST_F(ClickhouseEngineTest, AnErrorHasTheHostTheStatusAndWhatTheServerSays) {
  PreparedServer server({exception("60", "Code: 60. DB::Exception: Table x\x1b does not exist. (version 26)\nstack")});
  ClickhouseEngine engine(server.place(), "db");
  EXPECT_EQ(why(engine), server.place().name() +
                             ": HTTP status 500: Code: 60. DB::Exception: Table x\\x1b does not exist. (version 26)");
}

TEST_F(ClickhouseEngineTest, AnExceptionWithAGoodStatusIsAnError) {
  PreparedServer server({answer("rows Code: 241", "X-ClickHouse-Exception-Code: 241\r\n")});
  ClickhouseEngine engine(server.place(), "db");
  EXPECT_THAT(why(engine), HasSubstr("Code: 241"));
}

// As 18.16 of Debian answers.
TEST_F(ClickhouseEngineTest, OldServersGiveTheCodeInTheText) {
  PreparedServer server(
      {answer("Code: 202, e.displayText() = DB::Exception: Too many simultaneous queries", "", "500 Error"),
       answer("Code: 193, e.displayText() = DB::Exception: Wrong password for user me", "", "401 Unauthorized")});
  ClickhouseEngine engine(server.place(), "db");
  EXPECT_THAT(why(engine), AllOf(HasSubstr("Wrong password"), HasSubstr("; the user was not named: ")));
}

TEST_F(ClickhouseEngineTest, AServerThatIsTooOldIsNamed) {
  const std::string unknown =
      answer("Code: 115, e.displayText() = DB::Exception: Unknown setting x", "", "404 Not Found");
  PreparedServer old({unknown, answer("18.16.1\n"), unknown, answer("23.2.9\n")});
  ClickhouseEngine engine(old.place(), "db");
  EXPECT_EQ(why(engine), old.place().name() + ": the server is ClickHouse 18.16.1, and a store needs 23.3 or later");
  EXPECT_THAT(why(engine), HasSubstr("ClickHouse 23.2.9"));
  for (const char* const version : {"23.3.1\n", "26.5",
                                    "\x05"
                                    "1.2.3",
                                    "", "1"}) {
    PreparedServer other({unknown, answer(version)});
    ClickhouseEngine asked(other.place(), "db");
    EXPECT_THAT(why(asked), HasSubstr("HTTP status 404: Code: 115")) << version;
  }
}

TEST_F(ClickhouseEngineTest, TooManyQueriesAreTriedAgain) {
  PreparedServer server({exception("202", "Code: 202"), answer("rows")});
  EXPECT_EQ(ClickhouseEngine(server.place(), "db").query("SELECT 1"), "rows");
}

// A server refuses a query whose id is that of one that runs (QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING).
TEST_F(ClickhouseEngineTest, QueriesThatRunAloneWaitForEachOther) {
  PreparedServer server({exception("216", "Code: 216. Query with id = perfsift-78 is already running."), answer("")});
  ClickhouseEngine(server.place(), "x").query_alone("INSERT INTO recordings SELECT 1", {});
  for (const std::string& request : server.requests())
    EXPECT_THAT(request, HasSubstr("&query_id=perfsift-78 HTTP/1.1"));
}

TEST_F(ClickhouseEngineTest, APasswordIsSentAndNeverPrinted) {
  setenv("CLICKHOUSE_USER", "me", 1);
  setenv("CLICKHOUSE_PASSWORD", "secret", 1);
  PreparedServer server({exception("516", "Code: 516: you sent secret and secret")});
  ClickhouseEngine engine(server.place(), "db");
  EXPECT_THAT(why(engine), AllOf(Not(HasSubstr("secret")), HasSubstr("the user was 'me'")));
  EXPECT_THAT(server.requests().front(), HasSubstr("X-ClickHouse-User: me\r\nX-ClickHouse-Key: secret\r\n"));
}

TEST_F(ClickhouseEngineTest, APasswordCannotAddHeaders) {
  setenv("CLICKHOUSE_PASSWORD", "a\r\nX-Other: b", 1);
  EXPECT_THROW(ClickhouseEngine({.host = "127.0.0.1", .port = 1}, "db"), InputError);
}

// Memory for a promised length would not be there.
TEST_F(ClickhouseEngineTest, APromisedLengthIsNotTrusted) {
  PreparedServer server({"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nx", answer("rows")});
  EXPECT_EQ(ClickhouseEngine(server.place(), "db").query("SELECT 1"), "rows");
}

TEST_F(ClickhouseEngineTest, OtherServersAreNamed) {
  for (const char* const text : {"SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n\r\n",
                                 "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx",
                                 "HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 1\r\n\r\nx"}) {
    PreparedServer server(std::vector<std::string>(7, text));
    ClickhouseEngine engine(server.place(), "db");
    EXPECT_THAT(why(engine), testing::StartsWith(server.place().name() + ": ")) << text;
  }
}

TEST(ZstdText, DamageAndBombsAreRefused) {
  const std::string text(1000, 'x'), bytes = compressed(text);
  EXPECT_EQ(expanded(bytes, 1000), text);
  EXPECT_EQ(expanded(bytes + bytes, 2000), text + text);
  EXPECT_EQ(expanded(bytes, 999), std::nullopt);
  EXPECT_EQ(expanded("rows", 1000), std::nullopt);
  EXPECT_EQ(expanded("", 1000), "");
  for (std::size_t size = 1; size < bytes.size(); ++size)
    EXPECT_EQ(expanded(bytes.substr(0, size), 1000), std::nullopt) << size;
}

TEST(Credentials, AreThoseOfTheHost) {
  const std::string text =
      "machine a login me password 1\nmachine b\n\tlogin you\n\tpassword 2\ndefault login all password 3\n";
  EXPECT_EQ(credentials_in(text, "a", "f").user, "me");
  EXPECT_EQ(credentials_in(text, "a", "f").password, "1");
  EXPECT_EQ(credentials_in(text, "b", "f").password, "2");
  EXPECT_EQ(credentials_in(text, "c", "f").user, "all");
  EXPECT_EQ(credentials_in("machine b login you password 2", "c", "f").password, "");
}

TEST(Credentials, MistakesDoNotPrintTheFile) {
  for (const char* const text : {"machine a login me secret", "secret", "machine", "machine a password"}) {
    try {
      credentials_in(text, "a", "file");
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), AllOf(testing::StartsWith("file: word "), Not(HasSubstr("secret"))));
    }
  }
}

}  // namespace
}  // namespace perfsift::store::clickhouse
