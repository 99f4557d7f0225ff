// Compares the search with every hint with a plain search.

#include "base/hinted_search.h"

#include <vector>

#include <gtest/gtest.h>

namespace perfsift {
namespace {

TEST(HintedSearch, TheHintDoesNotChangeThePlace) {
  const std::vector<std::uint64_t> sorted{2, 4, 4, 4, 8, 16, 17, 18, 90, ~std::uint64_t{0}};
  for (const std::uint64_t wanted : {0, 2, 3, 4, 5, 16, 18, 19, 90, 91}) {
    const auto place = static_cast<std::size_t>(std::ranges::lower_bound(sorted, wanted) - sorted.begin());
    for (std::size_t hint = 0; hint <= sorted.size() + 1; ++hint) {
      // A hint is the place of a number that was searched for. It is never in the middle of equal numbers.
      if (hint == 2 || hint == 3) continue;
      EXPECT_EQ(first_from(sorted, wanted, hint), place) << wanted << " " << hint;
    }
  }
}

TEST(HintedSearch, OfNothing) {
  EXPECT_EQ(first_from({}, 0, 0), 0u);
  EXPECT_EQ(first_from({}, 5, 3), 0u);
}

}  // namespace
}  // namespace perfsift
