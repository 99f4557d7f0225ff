// The values that a fact of a sample has if the sample can be kept: the CPUs, the threads, the modes of the CPU.
#pragma once

#include "filter/sample_facts.h"
#include "record/keep/condition.h"
#include "record/keep/value_set.h"

namespace perfsift::record {

struct PossibleValues {
  ValueSet values;
  bool exact = true;  // the condition holds for each sample with one of the values, and for no other
};

// `fact`: pid, tid, cpu or cpumode. No sample with another value satisfies the condition.
PossibleValues possible_values(const Condition& condition, filter::Fact fact);

}  // namespace perfsift::record
