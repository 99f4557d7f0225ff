// The verdict of a gate: plain data from which every output is written. Texts are as recorded, and must be escaped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfsift::analysis {

enum class Outcome : std::uint8_t {
  passed,
  failed,
  cannot_judge,  // the data cannot be judged: see Verdict::reasons
};

// An estimate, and the interval that contains the true value with a probability of 1 - level.
struct Estimate {
  double value = 0, low = 0, high = 0;
};

// Whether a count is of samples in the function itself, or of samples with the function anywhere in their stack.
enum class Part : std::uint8_t { self, total };

enum class FindingKind : std::uint8_t {
  dearer,        // costs more, by at least the minimum effect: fails
  added,         // the same, of a function that the baseline does not have
  drifting,      // costs more from run to run of a history, by at least the minimum effect in all of them together
  cheaper,       // costs less, by at least the minimum effect
  gone,          // the same, of a function that the candidate does not have
  undecided,     // the interval contains both no effect and one of at least the minimum effect
  earlier_step,  // stepped up in the history, and is unchanged since then
  shifted,       // the same cost, of which some callers cause more than before, and others less
  renamed,       // the same cost under another name
  inlined,       // the same cost, now inside the caller
};

enum class MatchedBy : std::uint8_t {
  name,    // the names differ in parameters, template arguments or the compiler's suffix only
  binary,  // the same function in another binary, or in another version of the binary
  calls,   // the same callers and callees, and about the same cost
};

struct FunctionName {
  std::string name;
  std::string binary;  // the file name; empty: not known
  bool operator==(const FunctionName&) const = default;
};

// The function that a function of the candidate was in the baseline.
struct FunctionMatch {
  FunctionName before;
  MatchedBy by = MatchedBy::name;
};

// Samples of one side, and their share of all samples of this side.
struct SideShare {
  std::uint64_t samples = 0;
  double share = 0;  // 1 is everything

  static SideShare of(std::uint64_t samples, std::uint64_t all) {
    return {.samples = samples, .share = all != 0 ? static_cast<double>(samples) / static_cast<double>(all) : 0};
  }
};

// A stack with the function, and what the function's samples in it are of all samples.
struct StackUnder {
  std::vector<std::string> frames;  // root first
  SideShare before, after;
};

// The size of a comparison that would probably decide, with the same noise.
struct Needed {
  std::uint64_t samples = 0;  // on each side, together
  std::uint64_t repeats = 0;  // on each side, as long as the runs here
};

struct Finding {
  FindingKind kind = FindingKind::undecided;
  FunctionName function;
  Part part = Part::self;
  SideShare before, after;
  // The change of the cost in parts of the baseline's total cost, after normalisation: 0.01 is 1 % of total cost.
  Estimate effect;
  // The candidate's cost divided by the baseline's; nothing if the baseline has none.
  std::optional<Estimate> ratio;
  double p = 1;                        // of such an effect without a change
  double adjusted_p = 1;               // p after the correction of Benjamini and Hochberg for all tests
  std::optional<FunctionMatch> match;  // the names differ between the sides
  std::vector<FunctionName> absorbed;  // functions that were inlined into this one, or taken out of it
  std::vector<StackUnder> stacks;      // where the change is, the largest first
  std::vector<FunctionName> callers;   // whose totals changed because of this function only
  std::optional<Needed> needed;        // undecided
  std::uint64_t runs = 0;              // drifting: over which; earlier_step: since the step
};

// Why the data cannot be judged, or could not be without --allow.
struct Reason {
  std::string key;     // stable, and the word of --allow: "lost", "kernel"
  std::string text;    // a sentence without its stop
  std::string advice;  // what to do
  bool tolerated = false;
};

// The unit of what an assertion measures.
enum class AssertionUnit : std::uint8_t { percent, nanoseconds, count };

// What one assertion of a budget file came to.
struct AssertionResult {
  std::string text;  // as in the file
  std::string file;
  std::uint32_t line = 0, column = 0;
  Outcome outcome = Outcome::cannot_judge;
  AssertionUnit unit = AssertionUnit::percent;
  std::optional<Estimate> measured;
  std::optional<double> limit;
  std::string explanation;  // a sentence without its stop
};

struct SideSummary {
  std::vector<std::string> runs;  // their names
  std::uint64_t samples = 0;      // that were compared
  std::uint64_t interrupts = 0;   // that were left out, as they were taken in interrupts
};

// What noise was estimated from.
enum class Spread : std::uint8_t { repeats, time_blocks, draw };

// What the costs of both sides are divided by.
enum class NormalisedBy : std::uint8_t {
  unchanged,  // the samples of functions that did not change
  samples,    // all samples
  runs,       // runs, which did the same work on both sides
};

// The rules by which was judged.
struct Rules {
  double level = 0.05;       // of false alarms, in a comparison without any change
  double min_effect = 0.01;  // the smallest change that matters, in parts of the baseline's total cost
  double min_ratio = 0;      // and in parts of the function's own cost
  std::uint64_t min_samples = 20;
  bool per_run = false;          // the sides did the same work per run, so that times can be compared instead of shares
  bool with_interrupts = false;  // otherwise the samples in interrupts are left out
  bool undecided_fails = false;
  bool history = false;  // the repeats of the baseline are in the order of time, and the candidate is the next one
  bool drift_fails = true;
  bool exact_names = false;  // FunctionNames::recorded instead of FunctionNames::common
};

struct Verdict {
  Outcome outcome = Outcome::cannot_judge;
  std::string event;
  std::vector<Reason> reasons;
  std::vector<Finding> findings;  // the most serious first
  std::vector<AssertionResult> assertions;
  SideSummary before, after;
  Rules rules;
  std::uint64_t tests = 0;  // functions' self and total amounts that were tested
  // The most samples, on both sides together, of a function that was too rare for a test.
  std::uint64_t most_untested = 0;
  bool one_function = false;  // has all samples of both sides, and therefore no share that could change
  Spread spread = Spread::draw;
  NormalisedBy normalised_by = NormalisedBy::samples;
  // The total cost of the candidate divided by the baseline's. Nothing: the normaliser is all samples.
  std::optional<Estimate> total_ratio;

  bool any(FindingKind kind) const;
};

// Sets the outcome from everything else.
void conclude(Verdict& verdict);

}  // namespace perfsift::analysis
