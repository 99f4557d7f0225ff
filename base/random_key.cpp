#include "base/random_key.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <sys/random.h>

#include "base/error.h"

namespace perfsift {

std::array<std::uint64_t, 2> random_key() {
  std::array<std::uint64_t, 2> key;
  if (getrandom(key.data(), sizeof key, 0) != sizeof key)
    throw Error(std::string("no random numbers: ") + std::strerror(errno));
  return key;
}

}  // namespace perfsift
