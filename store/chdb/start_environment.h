// The environment in which the engine starts: the time zone is UTC.
//
// The times of a store are in UTC. For each name of a time zone the engine makes a table of all days, which takes 10
// ms, and the name of the machine's own zone is another one, such as Etc/UTC. The engine asks for it once in a process.
#pragma once

#include <ctime>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace perfsift::store::chdb {

// One at a time.
class StartEnvironment {
 public:
  StartEnvironment() : before_(environ) { environ = with_utc(before_); }
  ~StartEnvironment() {
    environ = before_;
    tzset();  // localtime_r() keeps the zone that it knows
  }
  StartEnvironment(const StartEnvironment&) = delete;
  StartEnvironment& operator=(const StartEnvironment&) = delete;

 private:
  // A copy that is made once and stays, as another thread may be reading it: unlike setenv(), this changes nothing that
  // getenv() reads elsewhere.
  static char** with_utc(char** variables) {
    static char utc[] = "TZ=UTC";
    static std::vector<char*> copy = [&] {
      std::vector<char*> all = {utc};
      for (; variables != nullptr && *variables != nullptr; ++variables) {
        if (!std::string_view(*variables).starts_with("TZ=")) all.push_back(*variables);
      }
      all.push_back(nullptr);
      return all;
    }();
    return copy.data();
  }

  char** const before_;
};

}  // namespace perfsift::store::chdb
