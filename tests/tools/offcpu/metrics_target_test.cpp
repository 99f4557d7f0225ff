#include "tools/offcpu/metrics_target.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "tests/support/temporary.h"

namespace perfsift::tools {
namespace {

// The response of a server on this machine, read without our libraries.
std::string ask(const std::string& url, const std::string& request = "GET /metrics HTTP/1.0\r\n\r\n") {
  const std::size_t colon = url.rfind(':');
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(url.substr(colon + 1))));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  std::string answer;
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    EXPECT_EQ(write(fd, request.data(), request.size()), static_cast<ssize_t>(request.size()));
    char buffer[4096];
    for (ssize_t got = 0; (got = read(fd, buffer, sizeof buffer)) > 0;)
      answer.append(buffer, static_cast<std::size_t>(got));
  }
  close(fd);
  return answer;
}

TEST(MetricsTarget, AFileIsReplacedAsAWhole) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.write("metrics.prom", "old\n");
  const auto target = MetricsTarget::open(path);
  target->publish("a 1\n");
  target->publish("a 2\n");
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "a 2\n");
  EXPECT_EQ(target->url(), "");
}

TEST(MetricsTarget, WhoeverAsksThisMachineGetsTheLatest) {
  const auto target = MetricsTarget::open(":0");
  EXPECT_EQ(target->url().find("http://127.0.0.1:"), 0u);
  target->publish("a 1\n");
  target->publish("a 2\n");
  const std::string answer = ask(target->url());
  EXPECT_NE(answer.find("text/plain; version=0.0.4"), std::string::npos);
  EXPECT_EQ(answer.substr(answer.find("\r\n\r\n") + 4), "a 2\n");
}

// RFC 9110: HEAD gives only the headers of GET; 404 for an unknown path, 405 for a method that is not supported.
TEST(MetricsTarget, OtherQuestionsAreAnsweredAsHttpWantsIt) {
  const auto target = MetricsTarget::open(":0");
  target->publish("a 1\n");
  using Answer = std::pair<std::string, std::string>;
  const auto answer = [&](const std::string& first_line) {
    const std::string text = ask(target->url(), first_line + " HTTP/1.1\r\nHost: here\r\n\r\n");
    return Answer(text.substr(0, text.find("\r\n")), text.substr(text.find("\r\n\r\n") + 4));
  };
  EXPECT_EQ(answer("GET /metrics"), Answer("HTTP/1.1 200 OK", "a 1\n"));
  EXPECT_EQ(answer("HEAD /metrics"), Answer("HTTP/1.1 200 OK", ""));
  EXPECT_EQ(answer("GET /").first, "HTTP/1.1 404 Not Found");
  EXPECT_EQ(answer("DELETE /metrics").first, "HTTP/1.1 405 Method Not Allowed");
}

// A port has 16 bits (RFC 9293): 99999 is not a port, though its low 16 bits are 34463.
TEST(MetricsTarget, WhatIsNoPortIsRefusedAndNoFile) {
  const test::TemporaryDirectory directory;
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(directory.path());
  for (const char* place : {":99999", ":65536", ":abc", ":", ":-1", ": 1", ":1x", "localhost:http", "0.0.0.0:99999"}) {
    try {
      MetricsTarget::open(place);
      ADD_FAILURE() << place;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("is not a port, which is a number from 0 to 65535"), std::string::npos);
    }
  }
  MetricsTarget::open("./:abc")->publish("a 1\n");
  std::filesystem::current_path(before);
  EXPECT_TRUE(std::filesystem::exists(directory.path() / ":abc"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 1);
}

TEST(MetricsTarget, APortThatIsTakenIsAnError) {
  const auto first = MetricsTarget::open(":0");
  const std::string url = first->url();
  const std::string port = url.substr(url.rfind(':'), url.rfind('/') - url.rfind(':'));
  EXPECT_THROW(MetricsTarget::open(port), UsageError);
  EXPECT_THROW(MetricsTarget::open("192.0.2.1" + port), UsageError);  // no machine has this address
}

}  // namespace
}  // namespace perfsift::tools
