#include "store/url.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/error.h"
#include "base/number_in.h"
#include "base/percent_encoding.h"
#include "base/printable.h"

namespace perfsift::store {
namespace {

constexpr std::string_view chdb_scheme = "chdb:";

// The schemes of servers, with their usual ports.
struct ServerScheme {
  std::string_view text;
  std::uint16_t port = 0;
  bool tls = false;
};
constexpr std::array server_schemes = {ServerScheme{"clickhouse://", 8123, false},
                                       ServerScheme{"clickhouses://", 8443, true}};
constexpr std::string_view example = "chdb:DIR and clickhouse://HOST/DATABASE are some";

const ServerScheme* scheme_of(std::string_view text) {
  const auto* const found =
      std::ranges::find_if(server_schemes, [&](const ServerScheme& scheme) { return text.starts_with(scheme.text); });
  return found == server_schemes.end() ? nullptr : found;
}

[[noreturn]] void refuse(std::string_view url, std::string_view why) {
  throw UsageError(printable(fmt::format("{}: {}", url, why)));
}

// The text with %XX replaced by bytes.
std::string decoded(std::string_view text, std::string_view url) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      bytes += text[i];
      continue;
    }
    const auto byte = i + 2 < text.size() ? number_in<unsigned char>(text.substr(i + 1, 2), 16) : std::nullopt;
    if (!byte) refuse(url, "'%' must be followed by two hexadecimal digits; '%25' is the character itself");
    bytes += static_cast<char>(*byte);
    i += 2;
  }
  return bytes;
}

std::uint32_t time_of(std::string_view name, const std::string& value, std::string_view url) {
  const auto time = parse_time(value);
  if (!time)
    refuse(url,
           fmt::format("{}={} is no time; 2026-11-28T10:00:00Z is one, and so are seconds since 1970", name, value));
  return *time;
}

void take(const std::string& name, std::string value, std::string_view url, Selection& to) {
  if (name == "from" || name == "to") {
    std::optional<std::uint32_t>& time = name == "from" ? to.from : to.to;
    if (time) refuse(url, name + " is given twice");
    time = time_of(name, value, url);
  } else if (name == "event") {
    to.events.push_back(std::move(value));
  } else if (name == "thread") {
    to.threads.push_back(std::move(value));
  } else if (name == "cgroup") {
    to.cgroups.push_back(std::move(value));
  } else {
    to.labels[name].push_back(std::move(value));
  }
}

// Removes the text up to `end`, and `end`.
std::string_view take_until(std::string_view& text, char end) {
  const std::string_view part = text.substr(0, text.find(end));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

// HOST, HOST:PORT, [ADDRESS] or [ADDRESS]:PORT.
clickhouse::Server server_in(std::string_view text, const ServerScheme& scheme, std::string_view url) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
  clickhouse::Server server{.host = {}, .port = scheme.port, .tls = scheme.tls};
  const bool is_address = text.starts_with('[');
  if (is_address) text.remove_prefix(1);
  if (is_address && text.find(']') == std::string_view::npos) refuse(url, fmt::format("'{}' has no ']'", text));
  server.host = take_until(text, is_address ? ']' : ':');
  if (is_address && text.starts_with(':')) text.remove_prefix(1);
  const bool has_other = server.host.find_first_not_of(plain) != std::string::npos;
  const bool is_good =
      is_address ? server.host.find_first_not_of("0123456789abcdefABCDEF:.") == std::string::npos : !has_other;
  if (server.host.empty() || !is_good) refuse(url, fmt::format("'{}' is no name of a host", server.host));
  if (text.empty()) return server;
  const auto port = number_in<std::uint16_t>(text);
  if (!port || *port == 0) refuse(url, fmt::format("'{}' is no port", text));
  server.port = *port;
  return server;
}

// What is left of `rest` chooses samples.
void take_servers(const ServerScheme& scheme, std::string_view& rest, std::string_view url, StoreUrl& to) {
  std::string_view place = take_until(rest, '?');
  std::string_view hosts = take_until(place, '/');
  // Other users see the command line of a process. The address is not repeated.
  if (hosts.find('@') != std::string_view::npos)
    throw UsageError(
        fmt::format("{}…: a user and a password do not belong into an address, which other users can see: "
                    "~/.config/perfsift/credentials, or CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, have them",
                    scheme.text));
  if (hosts.empty()) refuse(url, fmt::format("names no host; {}HOST/DATABASE does", scheme.text));
  while (!hosts.empty()) to.servers.push_back(server_in(take_until(hosts, ','), scheme, url));
  to.database = decoded(place, url);
  if (to.database.empty() || to.database.find('\0') != std::string::npos)
    refuse(url, fmt::format("names no database; {}HOST/DATABASE does", scheme.text));
}

// NAME=VALUE&NAME=VALUE…
void take_query(std::string_view query, std::string_view url, Selection& to) {
  while (!query.empty()) {
    std::string_view pair = take_until(query, '&');
    if (pair.find('=') == std::string_view::npos) refuse(url, fmt::format("'{}' is not of the form NAME=VALUE", pair));
    const std::string name = decoded(take_until(pair, '='), url);
    if (name.empty()) refuse(url, fmt::format("'={}' has no name", pair));
    take(name, decoded(pair, url), url, to);
  }
}

// The text with bytes that mean something in an address as %XX.
std::string escaped(std::string_view text) { return percent_encoded(text, "/:,@"); }

std::string query_text(const Selection& selection) {
  std::string text;
  const auto add = [&](std::string_view name, std::string_view value) {
    text += fmt::format("{}{}={}", text.empty() ? "?" : "&", escaped(name), escaped(value));
  };
  const auto add_all = [&](std::string_view name, const std::vector<std::string>& values) {
    for (const std::string& value : values) add(name, value);
  };
  for (const auto& [name, values] : selection.labels) add_all(name, values);
  add_all("event", selection.events);
  add_all("thread", selection.threads);
  add_all("cgroup", selection.cgroups);
  if (selection.from) add("from", time_text(*selection.from));
  if (selection.to) add("to", time_text(*selection.to));
  return text;
}

}  // namespace

std::string StoreUrl::text() const {
  StoreUrl place = *this;
  place.folder = escaped(folder);
  place.database = escaped(database);
  return place.name() + query_text(selection);
}

std::string StoreUrl::name() const {
  if (servers.empty()) return fmt::format("chdb:{}", folder);
  std::string hosts;
  for (const clickhouse::Server& server : servers) hosts += (hosts.empty() ? "" : ",") + server.name();
  return fmt::format("{}{}/{}", server_schemes[servers.front().tls ? 1 : 0].text, hosts, database);
}

bool is_store_url(std::string_view text) { return text.starts_with(chdb_scheme) || scheme_of(text) != nullptr; }

StoreUrl parse_store_url(std::string_view text) {
  const ServerScheme* const scheme = scheme_of(text);
  if (scheme == nullptr && !text.starts_with(chdb_scheme)) refuse(text, fmt::format("is no store; {}", example));
  std::string_view rest = text.substr(scheme != nullptr ? scheme->text.size() : chdb_scheme.size());
  StoreUrl url;
  if (scheme != nullptr) {
    take_servers(*scheme, rest, text, url);
  } else {
    url.folder = decoded(take_until(rest, '?'), text);
    if (url.folder.empty() || url.folder.find('\0') != std::string::npos)
      refuse(text, "names no folder; chdb:DIR does");
  }
  take_query(rest, text, url.selection);
  return url;
}

Selection with_query(Selection selection, std::string_view query) {
  Selection wanted;
  take_query(query, query, wanted);
  for (auto& [name, values] : wanted.labels) selection.labels[name] = std::move(values);
  const auto replace = [](std::vector<std::string>& values, std::vector<std::string>& by) {
    if (!by.empty()) values = std::move(by);
  };
  replace(selection.events, wanted.events);
  replace(selection.threads, wanted.threads);
  replace(selection.cgroups, wanted.cgroups);
  if (wanted.from) selection.from = wanted.from;
  if (wanted.to) selection.to = wanted.to;
  return selection;
}

std::string time_text(std::uint64_t seconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

std::optional<std::uint32_t> parse_time(std::string_view text) {
  if (const auto seconds = number_in<std::uint32_t>(text)) return seconds;
  if (text.ends_with('Z')) text.remove_suffix(1);
  // The form, in which a digit stands for any digit.
  constexpr std::string_view form = "0000-00-00T00:00:00";
  const bool is_whole = text.size() == form.size() || text.size() == form.size() - 3 || text.size() == 10;
  if (!is_whole) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (form[i] == '0' ? !digit : text[i] != form[i]) return std::nullopt;
  }
  const auto part = [&](std::size_t at, std::size_t size) {
    return at < text.size() ? *number_in<unsigned>(text.substr(at, size)) : 0;
  };
  const std::chrono::year_month_day day(std::chrono::year(static_cast<int>(part(0, 4))), std::chrono::month(part(5, 2)),
                                        std::chrono::day(part(8, 2)));
  if (!day.ok() || part(11, 2) > 23 || part(14, 2) > 59 || part(17, 2) > 59) return std::nullopt;
  const std::int64_t seconds = std::int64_t{std::chrono::sys_days(day).time_since_epoch().count()} * 86'400 +
                               part(11, 2) * 3600 + part(14, 2) * 60 + part(17, 2);
  if (seconds < 0 || seconds > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(seconds);
}

}  // namespace perfsift::store
