#include "store/url.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace perfsift::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(StoreUrl, IsKnownByItsScheme) {
  EXPECT_TRUE(is_store_url("chdb:folder"));
  EXPECT_TRUE(is_store_url("clickhouse://host/db"));
  EXPECT_TRUE(is_store_url("clickhouses://host/db"));
  EXPECT_FALSE(is_store_url("perf.data"));
  EXPECT_FALSE(is_store_url("./chdb:folder"));
}

TEST(StoreUrl, HasAFolderAndLabels) {
  const StoreUrl url = parse_store_url("chdb:/var/lib/fleet?service=shop&host=a&host=b&version=");
  EXPECT_EQ(url.folder, "/var/lib/fleet");
  EXPECT_THAT(url.selection.labels,
              ElementsAre(Pair("host", ElementsAre("a", "b")), Pair("service", ElementsAre("shop")),
                          Pair("version", ElementsAre(""))));
}

TEST(StoreUrl, SeparatesWhatChoosesSamplesFromLabels) {
  const StoreUrl url = parse_store_url("chdb:x?event=cycles&thread=main&cgroup=/a&from=10&to=1970-01-01T00:01:00Z");
  EXPECT_THAT(url.selection.labels, IsEmpty());
  EXPECT_THAT(url.selection.events, ElementsAre("cycles"));
  EXPECT_THAT(url.selection.threads, ElementsAre("main"));
  EXPECT_THAT(url.selection.cgroups, ElementsAre("/a"));
  EXPECT_EQ(url.selection.from, 10);
  EXPECT_EQ(url.selection.to, 60);
}

TEST(StoreUrl, EscapedBytesStandForThemselves) {
  const StoreUrl url = parse_store_url("chdb:a%3fb%25?k%3D=%00%ff%26%27");
  EXPECT_EQ(url.folder, "a?b%");
  EXPECT_THAT(url.selection.labels, ElementsAre(Pair("k=", ElementsAre(std::string("\0\xff&'", 4)))));
}

TEST(StoreUrl, MistakesAreNamed) {
  const auto why = [](std::string_view url) -> std::string {
    try {
      parse_store_url(url);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(why("chdb:"), "chdb:: names no folder; chdb:DIR does");
  EXPECT_EQ(why("chdb:?a=b"), "chdb:?a=b: names no folder; chdb:DIR does");
  EXPECT_EQ(why("chdb:a%00b"), "chdb:a%00b: names no folder; chdb:DIR does");
  EXPECT_EQ(why("chdb:x?service"), "chdb:x?service: 'service' is not of the form NAME=VALUE");
  EXPECT_EQ(why("chdb:x?=1"), "chdb:x?=1: '=1' has no name");
  EXPECT_EQ(why("chdb:x?a=%4"),
            "chdb:x?a=%4: '%' must be followed by two hexadecimal digits; '%25' is the character itself");
  EXPECT_EQ(why("chdb:x?a=%-1"),
            "chdb:x?a=%-1: '%' must be followed by two hexadecimal digits; '%25' is the character itself");
  EXPECT_EQ(why("chdb:x?from=noon"),
            "chdb:x?from=noon: from=noon is no time; 2026-11-28T10:00:00Z is one, and so are seconds since 1970");
  EXPECT_EQ(why("chdb:x?from=1&from=2"), "chdb:x?from=1&from=2: from is given twice");
  EXPECT_EQ(why("perf.data"), "perf.data: is no store; chdb:DIR and clickhouse://HOST/DATABASE are some");
  EXPECT_EQ(why("clickhouse:///db"), "clickhouse:///db: names no host; clickhouse://HOST/DATABASE does");
  EXPECT_EQ(why("clickhouse://h"), "clickhouse://h: names no database; clickhouse://HOST/DATABASE does");
  EXPECT_EQ(why("clickhouse://h?x=1"), "clickhouse://h?x=1: names no database; clickhouse://HOST/DATABASE does");
  EXPECT_EQ(why("clickhouse://a,,b/db"), "clickhouse://a,,b/db: '' is no name of a host");
  EXPECT_EQ(why("clickhouse://a b/db"), "clickhouse://a b/db: 'a b' is no name of a host");
  EXPECT_EQ(why("clickhouse://h:0/db"), "clickhouse://h:0/db: '0' is no port");
  EXPECT_EQ(why("clickhouse://h:65536/db"), "clickhouse://h:65536/db: '65536' is no port");
  EXPECT_EQ(why("clickhouse://[::1/db"), "clickhouse://[::1/db: '::1' has no ']'");
}

// Other users can see the address, and messages are kept.
TEST(StoreUrl, HasNoPassword) {
  for (const char* const url :
       {"clickhouse://me:secret@h/db", "clickhouses://secret@h", "clickhouse://a,me:secret@b/db"}) {
    try {
      parse_store_url(url);
      ADD_FAILURE() << url;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("secret")));
    }
  }
}

TEST(StoreUrl, HasServers) {
  const StoreUrl url = parse_store_url("clickhouse://db-1.example.net,[::1]:9000,10.0.0.1:1/a%2fb?host=x");
  ASSERT_EQ(url.servers.size(), 3u);
  EXPECT_EQ(url.name(), "clickhouse://db-1.example.net:8123,[::1]:9000,10.0.0.1:1/a/b");
  EXPECT_EQ(url.servers[1].host, "::1");
  EXPECT_EQ(url.database, "a/b");
  EXPECT_THAT(url.selection.labels, ElementsAre(Pair("host", ElementsAre("x"))));
  EXPECT_EQ(parse_store_url("clickhouses://h/db").name(), "clickhouses://h:8443/db");
  EXPECT_EQ(parse_store_url("chdb:a/b?x=1").name(), "chdb:a/b");
}

// A command line that is shown must mean the store and the samples that were looked at.
TEST(StoreUrl, ATextIsReadAsTheSameAddress) {
  for (const char* const text :
       {"chdb:x",
        "chdb:/a/b%3Fc%25d?host=a%26b%3D%0A%FF&service=&service=x%20y&event=cycles:u&thread=t&cgroup=/a/b&from=5",
        "clickhouse://h:1,[::1]:2/d%3Fb?a%3D=b&to=2026-11-28", "clickhouses://h/db?x=%2B"}) {
    const StoreUrl url = parse_store_url(text), again = parse_store_url(url.text());
    EXPECT_EQ(again.text(), url.text());
    EXPECT_EQ(again.name(), url.name());
    EXPECT_EQ(again.folder, url.folder);
    EXPECT_EQ(again.database, url.database);
    EXPECT_EQ(again.selection.labels, url.selection.labels);
    EXPECT_EQ(again.selection.parameters().all(), url.selection.parameters().all());
    EXPECT_EQ(url.text().find_first_of("\n \xff'"), std::string::npos) << url.text();
  }
}

TEST(WithQuery, ReplacesNamesThatAreThere) {
  const Selection before = parse_store_url("chdb:x?version=2&host=a&from=7").selection;
  const Selection after = with_query(before, "version=1&version=1.1&kernel=6&to=9");
  EXPECT_THAT(after.labels, ElementsAre(Pair("host", ElementsAre("a")), Pair("kernel", ElementsAre("6")),
                                        Pair("version", ElementsAre("1", "1.1"))));
  EXPECT_EQ(after.from, 7u);
  EXPECT_EQ(after.to, 9u);
  EXPECT_THROW(with_query(before, "version"), UsageError);
}

TEST(TimeText, IsReadAsTheSameTime) {
  EXPECT_EQ(time_text(1795860000), "2026-11-28T10:00:00Z");
  EXPECT_EQ(parse_time(time_text(1709251199)), 1709251199u);
}

// The seconds are those of date --utc --date=... +%s.
TEST(ParseTime, KnowsSecondsAndTimesOfUtc) {
  EXPECT_EQ(parse_time("0"), 0u);
  EXPECT_EQ(parse_time("4294967295"), 4294967295u);
  EXPECT_EQ(parse_time("2026-11-28T10:00:00Z"), 1795860000u);
  EXPECT_EQ(parse_time("2026-11-28T10:00"), 1795860000u);
  EXPECT_EQ(parse_time("2026-11-28"), 1795824000u);
  EXPECT_EQ(parse_time("2024-02-29T23:59:59"), 1709251199u);
}

TEST(ParseTime, RefusesOtherTexts) {
  for (const char* const text :
       {"", "-1", "4294967296", "2026-11-31", "2026-02-29", "2026-1-01", "2026-11-28 10:00", "1969-12-31", "2107-01-01",
        "2026-11-28T24:00", "2026-11-28T10:60", "2026-11-28T10", "2026-11-28T10:00:00+1", "2026-11-28T10:00:00ZZ"})
    EXPECT_EQ(parse_time(text), std::nullopt) << text;
}

// Whatever a user writes, only hexadecimal digits and numbers become parameters.
TEST(Selection, TextsArePassedAsHexadecimalDigits) {
  const StoreUrl url = parse_store_url("chdb:x?a%27=%27%20OR%201%3d1&service=s&event=e&from=5");
  EXPECT_THAT(url.selection.parameters().all(),
              testing::UnorderedElementsAre(Pair("label_names", "['6127','73657276696365']"),
                                            Pair("label_values", "[['27204f5220313d31'],['73']]"),
                                            Pair("services", "['73']"), Pair("events", "['65']"), Pair("threads", "[]"),
                                            Pair("cgroups", "[]"), Pair("from", "5"), Pair("to", "4294967295")));
}

}  // namespace
}  // namespace perfsift::store
