// Which requests the server of perfsift view answers.

#include "tools/view/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfsift::tools {
namespace {

class ViewAccess : public ::testing::Test {
 protected:
  ViewAccess() {
    const std::string link = access_.link();
    own_ = link.substr(link.find('/', std::string("http://").size()));
  }

  tools::HttpRequest request(const std::string& path) const {
    return {.method = "GET",
            .path = path,
            .query = {},
            .host = "127.0.0.1:8123",
            .origin = {},
            .fetch_site = {},
            .gone = {}};
  }
  // The status of the answer. 0: the request is allowed.
  unsigned status(const tools::HttpRequest& request) {
    const auto refusal = access_.refusal(request, name_);
    return refusal ? refusal->status : 0;
  }

  Access access_{8123};
  std::string own_;  // "/TOKEN/"
  std::string name_;
};

TEST_F(ViewAccess, TheLinkIsAnswered) {
  EXPECT_THAT(access_.link(), ::testing::MatchesRegex("http://127.0.0.1:8123/[0-9a-f]{32}/"));
  EXPECT_EQ(status(request(own_)), 0U);
  EXPECT_EQ(name_, "");
  EXPECT_EQ(status(request(own_ + "data")), 0U);
  EXPECT_EQ(name_, "data");
}

TEST_F(ViewAccess, TokensAreRandom) { EXPECT_NE(Access(8123).link(), access_.link()); }

TEST_F(ViewAccess, WrongTokensAreRefused) {
  for (const std::string& path : {std::string("/"), std::string("/data"), own_.substr(0, own_.size() - 2) + "/",
                                  "/0" + own_.substr(1), own_.substr(1), "/" + own_}) {
    EXPECT_NE(status(request(path)), 0U) << path;
  }
}

TEST_F(ViewAccess, NamesOfOtherHostsAreRefused) {
  for (const char* const host :
       {"", "example.com", "example.com:8123", "127.0.0.1", "127.0.0.1:81", "127.0.0.1:81230"}) {
    tools::HttpRequest foreign = request(own_);
    foreign.host = host;
    EXPECT_EQ(status(foreign), 421U) << host;
  }
  tools::HttpRequest local = request(own_);
  local.host = "localhost:8123";
  EXPECT_EQ(status(local), 0U);
}

TEST_F(ViewAccess, RequestsOfOtherPagesAreRefused) {
  tools::HttpRequest foreign = request(own_ + "data");
  foreign.origin = "http://example.com";
  EXPECT_EQ(status(foreign), 403U);
  foreign.origin = "http://127.0.0.1:8123";
  EXPECT_EQ(status(foreign), 0U);
  foreign.fetch_site = "cross-site";
  EXPECT_EQ(status(foreign), 403U);
}

TEST_F(ViewAccess, NothingCanBeChanged) {
  tools::HttpRequest post = request(own_);
  post.method = "POST";
  EXPECT_EQ(status(post), 405U);
}

TEST(EqualInConstantTime, ComparesWholeTexts) {
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  for (const char* const other : {"", "ab", "abcd", "abd", "xbc", "abcabc"})
    EXPECT_FALSE(equal_in_constant_time(other, "abc"));
  EXPECT_FALSE(equal_in_constant_time("abc", ""));
}

}  // namespace
}  // namespace perfsift::tools
