// An option with or without a value, which stands behind = only: --delimiter or --delimiter=FRAME.
//
// Boost itself takes the next word, which is often a file, as the value.
#pragma once

#include <string>
#include <utility>

#include "options/command_line.h"

namespace perfsift::options {

struct OptionalWord : po::typed_value<std::string> {
  // `without_value`: what the option means without a value.
  OptionalWord(std::string* target, std::string without_value)
      : typed_value(target), implied(std::move(without_value)) {
    implicit_value(implied);
  }

  const std::string implied;
};

// Boost owns what these make. A letter takes its value behind itself: -dFRAME.
inline OptionalWord* optional_word(std::string& target, std::string without_value) {
  return new OptionalWord(&target, std::move(without_value));
}

}  // namespace perfsift::options
