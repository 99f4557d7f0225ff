// --keep: the samples that are recorded, by an expression of perfsift-filter(7).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "options/command_line.h"
#include "reader/tracepoint.h"
#include "record/keep/keep_plan.h"
#include "record/keep/sample_keeper.h"
#include "record/session.h"

namespace perfsift::tools {

// Which samples a recording keeps: the part of the kernel is in the events and the target, the rest in a keeper.
struct KeptSamples {
  reader::TracepointFormats formats;      // of the events; the keeper refers to them
  std::vector<record::KeptEvent> events;  // in the order of SessionPlan::events
  std::vector<std::string> reasons;       // sentences: which part goes where

  // Decides for the samples of a session that was opened by the plan. nullptr: the kernel decides everything.
  std::unique_ptr<record::SampleKeeper> keeper_for(const record::Session& session) const;
  // A keeper for each group of the session, or one without groups; none if the kernel decides everything. Throws
  // UsageError if a thread would have to know the records of another thread's rings.
  std::vector<std::unique_ptr<record::SampleKeeper>> keepers_for(const record::Session& session) const;
};

class KeepOptions {
 public:
  void add_to(options::po::options_description& options);
  bool on() const { return !expressions_.empty(); }
  // Changes events and target of a complete plan. nullptr without the option. Throws UsageError.
  std::unique_ptr<KeptSamples> apply(record::SessionPlan& plan) const;

 private:
  std::vector<std::string> expressions_;
};

// The samples that a keeper keeps go to another sink, and now and then records that say how many were dropped.
class KeptSink : public record::RecordSink {
 public:
  // `keeper` nullptr: everything is kept. Both must live longer.
  KeptSink(record::SampleKeeper* keeper, record::RecordSink& to) : keeper_(keeper), to_(to) {}
  void records(std::size_t ring, Bytes records) override;
  void trace(const record::TracePiece& piece) override { to_.trace(piece); }  // whole: its samples are not looked at
  void round() override;

 private:
  record::SampleKeeper* const keeper_;
  record::RecordSink& to_;
  std::size_t last_ring_ = 0;
};

}  // namespace perfsift::tools
