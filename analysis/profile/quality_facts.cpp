#include "analysis/profile/quality_facts.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace perfsift::analysis {
namespace {

using symbolize::Missing;

struct QualityNumber {
  std::string_view fact;
  std::uint64_t Quality::*number;
};
constexpr QualityNumber numbers[] = {{"kernel_records", &Quality::kernel_records},
                                     {"lost_records", &Quality::lost_records},
                                     {"sample_records", &Quality::sample_records},
                                     {"lost_samples", &Quality::lost_samples},
                                     {"read_bytes", &Quality::read_bytes},
                                     {"skipped_bytes", &Quality::skipped_bytes},
                                     {"read_samples", &Quality::samples},
                                     {"callchains", &Quality::callchains},
                                     {"truncated_stacks", &Quality::truncated_stacks},
                                     {"unjudged_stacks", &Quality::unjudged_stacks},
                                     {"beyond_start_stacks", &Quality::beyond_start},
                                     {"frames", &Quality::frames},
                                     {"lost_records_told_twice", &Quality::told_twice},
                                     {"throttle_records", &Quality::throttled},
                                     {"throttled_nanoseconds", &Quality::throttled_time},
                                     {"throttles_without_end", &Quality::throttled_without_end}};

constexpr std::string_view unresolved = "unresolved", incomplete = "incomplete", lost_caller = "lost_caller",
                           told = "told";

// A word of a later version stands for no reason that this version knows.
Missing missing_named(std::string_view word) {
  for (int reason = 0; reason <= static_cast<int>(Missing::stack_truncated); ++reason) {
    if (reason_name(static_cast<Missing>(reason)) == word) return static_cast<Missing>(reason);
  }
  return Missing::no_symbol;
}

StackTail tail_named(std::string_view word) {
  for (int tail = 0; tail <= static_cast<int>(StackTail::beyond_start); ++tail) {
    if (tail_name(static_cast<StackTail>(tail)) == word) return static_cast<StackTail>(tail);
  }
  return StackTail::unknown;
}

}  // namespace

std::vector<QualityFact> quality_facts(const Quality& quality) {
  std::vector<QualityFact> facts;
  const auto fact = [&](std::string_view word, std::string_view reason, std::string_view place, std::uint64_t count) {
    facts.push_back(
        {.fact = std::string(word), .reason = std::string(reason), .place = std::string(place), .count = count});
  };
  for (const auto& [word, number] : numbers) {
    if (quality.*number != 0) fact(word, {}, {}, quality.*number);
  }
  for (const auto& [place, frames] : quality.unresolved)
    fact(unresolved, reason_name(place.reason), place.binary, frames);
  for (const auto& [place, stacks] : quality.incomplete)
    fact(incomplete, tail_name(place.reason), place.binary, stacks);
  for (const auto& [function, stacks] : quality.lost_callers) fact(lost_caller, {}, function, stacks);
  for (const std::string& sentence : quality.told) fact(told, {}, sentence, 1);
  return facts;
}

void add(const QualityFact& fact, Quality& quality) {
  if (fact.count == 0) return;
  for (const auto& [word, number] : numbers) {
    if (fact.fact == word) quality.*number += fact.count;
  }
  if (fact.fact == unresolved)
    quality.unresolved[{.binary = fact.place, .reason = missing_named(fact.reason)}] += fact.count;
  if (fact.fact == incomplete)
    quality.incomplete[{.binary = fact.place, .reason = tail_named(fact.reason)}] += fact.count;
  if (fact.fact == lost_caller) quality.lost_callers[fact.place] += fact.count;
  if (fact.fact == told) quality.told.push_back(fact.place);
}

bool is_quality_number(std::string_view fact) {
  return std::ranges::find(numbers, fact, &QualityNumber::fact) != std::end(numbers);
}

}  // namespace perfsift::analysis
