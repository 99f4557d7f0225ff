// The words that a shell offers while a command line of perfsift is typed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/completion/option_values.h"

namespace perfsift::tools {

struct Offers {
  std::vector<Offer> words;  // all begin with the word that is being typed
  bool files = false;        // names of files and folders are possible, too
};

// `typed`: the words behind "perfsift" up to the cursor. The last one is being typed, and may be empty.
//
// ```cpp
// for (const Offer& offer : offers_for(std::vector<std::string>{"fold", "--we"}).words) std::cout << offer.text;
// ```
Offers offers_for(std::span<const std::string> typed);

}  // namespace perfsift::tools
