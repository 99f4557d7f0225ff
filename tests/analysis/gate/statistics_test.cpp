// Statistics against published tables and figures of other programs.

#include "analysis/gate/statistics.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>

namespace perfsift::analysis::gate_statistics {  // a unity build compiles other tests in the same file
namespace {

using testing::DoubleNear;
using testing::Pointwise;

constexpr double normal = std::numeric_limits<double>::infinity();

// NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, critical values of Student's t distribution: the upper
// 2.5 % and 0.1 %, which are 5 % and 0.2 % of both tails.
TEST(Student, LimitsAreThoseOfTheTable) {
  struct {
    double freedom, five_percent, two_permille;
  } constexpr table[] = {{1, 12.706, 318.313}, {2, 4.303, 22.327}, {4, 2.776, 7.173},   {10, 2.228, 4.143},
                         {30, 2.042, 3.385},   {63, 1.998, 3.225}, {100, 1.984, 3.174}, {normal, 1.960, 3.090}};
  for (const auto& [freedom, five_percent, two_permille] : table) {
    // The table has five correct digits.
    EXPECT_NEAR(student_limit(0.05, freedom), five_percent, 0.0011) << freedom;
    EXPECT_NEAR(student_limit(0.002, freedom), two_permille, 0.001 + 2e-5 * two_permille) << freedom;
    EXPECT_NEAR(student_tails(student_limit(0.002, freedom), freedom), 0.002, 1e-9) << freedom;
  }
}

// Closed forms: the Cauchy distribution for 1, and an algebraic function for 2 degrees of freedom.
TEST(Student, FarTailsAreExact) {
  EXPECT_NEAR(student_tails(1e6, 1) / (2 / (3.14159265358979 * 1e6)), 1, 1e-9);
  const double t = 1000;
  EXPECT_NEAR(student_tails(t, 2), 1 - t / std::sqrt(2 + t * t), 1e-12);
  EXPECT_EQ(student_tails(0, 5), 1);
  EXPECT_EQ(student_tails(normal, 5), 0);
}

TEST(Student, ExtremesAreValuesAndNoExceptions) {
  for (const double freedom : {1e-3, 1.0, 5.0, 1e9, normal}) {
    EXPECT_EQ(student_tails(0, freedom), 1);
    EXPECT_EQ(student_tails(normal, freedom), 0);
    EXPECT_EQ(student_limit(0, freedom), normal);
    EXPECT_EQ(student_limit(1, freedom), 0);
  }
  EXPECT_EQ(student_tails(std::numeric_limits<double>::quiet_NaN(), 5), 1);
}

// The 15 p-values of the paper that describes the method (section 3.2). The four smallest are significant at 5 %. The q
// values are those of p.adjust(p, "BH") in R.
TEST(BenjaminiHochberg, IsThatOfThePaper) {
  const std::vector<double> p{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                              0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.000};
  const std::vector<double> q = benjamini_hochberg(p);
  EXPECT_THAT(q, Pointwise(DoubleNear(1e-6),
                           std::vector<double>{0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.0638571, 0.0638571, 0.0645,
                                               0.0765, 0.486, 0.5811818, 0.714875, 0.7532308, 0.8132143, 1}));
}

TEST(BenjaminiHochberg, TheOrderDoesNotMatter) {
  EXPECT_EQ(benjamini_hochberg(std::vector{0.04, 0.01, 0.9}), (std::vector<double>{0.06, 0.03, 0.9}));
  EXPECT_TRUE(benjamini_hochberg({}).empty());
}

// Independent values have the variance of their sum. Values in equal blocks of four have four times this variance.
TEST(VarianceOfSum, JoinsNeighboursThatAreAlike) {
  std::vector<double> alternating, blocks;
  for (int i = 0; i < 64; ++i) {
    alternating.push_back(i % 2 == 0 ? 1 : -1);
    blocks.push_back((0x9d2c5680u >> (i / 4 % 16) & 1) != 0 ? 1 : -1);
  }
  EXPECT_NEAR(variance_of_sum(alternating).variance, 64.0 * 64 / 63, 1e-9);
  EXPECT_EQ(variance_of_sum(alternating).freedom, 63);
  const SeriesVariance joined = variance_of_sum(blocks);
  EXPECT_LE(joined.freedom, 15);
  EXPECT_GT(joined.variance, 3 * 64);
  EXPECT_EQ(variance_of_sum(std::vector{1.0}).freedom, 0);
}

TEST(CommonVariance, MovesFewRepeatsTowardsWhatIsUsual) {
  // With equal variances all scatter is chance, so one variance is used for all.
  const CommonVariance same = common_variance(std::vector{2.0, 2.0, 2.0, 2.0}, 4);
  EXPECT_TRUE(std::isinf(same.freedom));
  EXPECT_EQ(same.moderated(100, 4), same.variance);
  // Smyth's estimates, computed by a program in Python from the formulas of the paper, with sums of 200,000 terms for
  // digamma and trigamma.
  const CommonVariance some = common_variance(std::vector{0.2, 0.5, 1.0, 2.0, 9.0, 30.0}, 4);
  EXPECT_NEAR(some.variance, 1.0791887, 1e-4);
  EXPECT_NEAR(some.freedom, 1.4062412, 1e-4);
  EXPECT_NEAR(some.moderated(9, 4), (some.freedom * some.variance + 4 * 9) / (some.freedom + 4), 1e-9);
}

TEST(WeightedMedian, HasHalfOfTheWeightOnEachSide) {
  EXPECT_EQ(weighted_median({{3, 1}, {1, 1}, {2, 1}}), 2);
  EXPECT_EQ(weighted_median({{3, 10}, {1, 1}, {2, 1}}), 3);
  EXPECT_EQ(weighted_median({}), 0);
}

}  // namespace
}  // namespace perfsift::analysis::gate_statistics
