#include "store/clickhouse/credentials.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/owned.h"
#include "base/whole_file.h"

namespace perfsift::store::clickhouse {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string default_file() {
  const std::string config = environment("XDG_CONFIG_HOME"), home = environment("HOME");
  if (config.starts_with('/')) return config + "/perfsift/credentials";
  return home.empty() ? home : home + "/.config/perfsift/credentials";
}

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    words.push_back(text.substr(0, text.find_first_of(blanks)));
    text.remove_prefix(words.back().size());
  }
}

// As ssh does for keys: what others can read is no secret.
void check_mode(int descriptor, const std::string& file) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) throw InputError(fmt::format("{}: {}", file, std::strerror(errno)));
  if (!S_ISREG(status.st_mode)) throw InputError(fmt::format("{}: credentials must be in an ordinary file", file));
  if (status.st_uid != geteuid() && status.st_uid != 0)
    throw InputError(fmt::format("{}: credentials must be in a file of your own", file));
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    throw InputError(fmt::format("{}: others can read these credentials: chmod 600 {}", file, file));
}

// Nothing if there is no such file.
std::optional<std::string> private_text(const std::string& file) {
  const FileDescriptor descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!descriptor) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    throw InputError(fmt::format("{}: {}", file, std::strerror(errno)));
  }
  check_mode(descriptor.get(), file);
  auto text = read_whole(descriptor.get());
  if (!text) throw InputError(fmt::format("{}: {}", file, std::strerror(errno)));
  return text;
}

// What can stand in a header of HTTP.
void check_text(const std::string& text, const char* what) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      throw InputError(fmt::format("{} has a control character, which no server takes", what));
  }
}

}  // namespace

Credentials credentials_in(std::string_view text, std::string_view host, const std::string& file) {
  const std::vector<std::string_view> words = words_of(text);
  Credentials found;
  bool is_wanted = false, was_found = false;
  const auto begin_entry = [&](bool wanted) {
    is_wanted = wanted && !was_found;
    was_found |= wanted;
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "default") {
      begin_entry(true);
      continue;
    }
    const std::string_view key = words[i];
    const bool is_known = key == "machine" || key == "login" || key == "password";
    if (!is_known || i + 1 == words.size())
      throw InputError(fmt::format(
          "{}: word {} is not understood; the form is 'machine HOST login USER password PASSWORD'", file, i + 1));
    const std::string_view value = words[++i];
    if (key == "machine") begin_entry(value == host);
    if (is_wanted && key == "login") found.user = value;
    if (is_wanted && key == "password") found.password = value;
  }
  return found;
}

Credentials credentials_for(const std::string& host) {
  const std::string named = environment("PERFSIFT_CREDENTIALS"), file = named.empty() ? default_file() : named;
  Credentials found;
  const auto text = file.empty() ? std::nullopt : private_text(file);
  if (text) found = credentials_in(*text, host, file);
  if (!text && !named.empty()) throw InputError(fmt::format("PERFSIFT_CREDENTIALS={}: no such file", named));
  if (found.user.empty() && found.password.empty())
    found = {.user = environment("CLICKHOUSE_USER"), .password = environment("CLICKHOUSE_PASSWORD")};
  check_text(found.user, "the name of the user");
  check_text(found.password, "the password");
  return found;
}

}  // namespace perfsift::store::clickhouse
