#include "base/random_key.h"

#include <gtest/gtest.h>

namespace perfsift {
namespace {

TEST(RandomKey, IsAnotherEachTime) { EXPECT_NE(random_key(), random_key()); }

}  // namespace
}  // namespace perfsift
