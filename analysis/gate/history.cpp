#include "analysis/gate/history.h"

#include <algorithm>
#include <cmath>

#include "analysis/gate/statistics.h"

namespace perfsift::analysis {
bool History::fits(const Units& units, const Rules& rules) {
  const Both<std::size_t> repeats = units.count();
  return rules.history && units.spread() == Spread::repeats && repeats.after == 1 &&
         repeats.before + 1 >= fewest_for_trend;
}

History::History(const Units& units, const Yard& yard, const Rules& rules)
    : yard_(yard),
      rules_(rules),
      scale_(yard.whole.before > 0 ? yard.sums.before / yard.whole.before : 0),
      test_length_(units.all_units()),
      test_(units.all_units()) {}

std::vector<double> History::costs(const Series& x) const {
  std::vector<double> costs(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) costs[i] = yard_.series[i] > 0 ? scale_ * x[i] / yard_.series[i] : 0;
  return costs;
}

CostCourse History::course(const Series& x) const {
  const std::vector<double> all = costs(x);
  return {.p = test_.tails(all),
          .course = course_of(std::span(all).first(all.size() - 1), false, rules_.level),
          .last = all.back()};
}

void History::find_drift(const Series& x, double q, double least, CostCourse& course) const {
  course.q = q;
  if (q > rules_.level) return;
  const std::vector<double> all = costs(x);
  const auto steps = static_cast<double>(all.size() - 1);
  const Estimate each = growth_per_run(all, rules_.level);
  const Estimate growth{.value = each.value * steps, .low = each.low * steps, .high = each.high * steps};
  if (growth.value < least) return;
  course.course = course_of(std::span(all).first(all.size() - 1), true, rules_.level);
  if (course.course.shape != CourseShape::line) return;
  course.growth = growth;
  const double start = course.course.expected - growth.value;
  if (start > 0) {
    course.ratio =
        Estimate{.value = 1 + growth.value / start, .low = 1 + growth.low / start, .high = 1 + growth.high / start};
  }
}

void History::compare_with_level(const CostCourse& course, Measured& measured) const {
  if (course.course.shape != CourseShape::level) return;
  measured.effect = step(course);
  measured.ratio.reset();
  measured.before = course.course.expected;
  measured.deviation = course.course.deviation;
  measured.freedom = course.course.freedom;
  measured.p = chance_of_step(course);
}

Estimate History::step(const CostCourse& course) const {
  const double more = course.last - course.course.expected;
  const double width = student_limit(rules_.level, course.course.freedom) * course.course.deviation;
  return {.value = more, .low = more - width, .high = more + width};
}

double History::chance_of_step(const CostCourse& course) const {
  const double more = course.last - course.course.expected;
  if (course.course.deviation <= 0) return more == 0 ? 1 : 0;
  return student_tails(more / course.course.deviation, course.course.freedom);
}

bool History::is_step(const CostCourse& course, double least) const {
  return course.last - course.course.expected >= least && chance_of_step(course) <= rules_.level;
}

}  // namespace perfsift::analysis
