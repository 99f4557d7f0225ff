#include "output/script/fields.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace perfsift::output {
namespace {

namespace bit = reader::sample_bit;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::uint64_t usual_fields = bit::ip | bit::tid | bit::time | bit::period;

std::unique_ptr<reader::Event> event(std::uint32_t type, std::uint64_t sample_type, std::string name) {
  auto result = std::make_unique<reader::Event>();
  result->attr.type = type;
  result->attr.sample_type = sample_type;
  result->name = std::move(name);
  return result;
}

Events software_event(std::uint64_t sample_type = usual_fields) {
  Events events;
  events.push_back(event(reader::event_type::software, sample_type, "cpu-clock"));
  return events;
}

FieldSet chosen(const std::vector<std::string>& arguments, const Events& events) {
  FieldSelection selection;
  for (const std::string& argument : arguments) selection.apply(argument);
  selection.check(events, {}, false, false);
  return selection.of(*events[0]);
}

TEST(FieldSelection, DefaultFieldsThatWereNotRecordedAreDropped) {
  const FieldSet fields = chosen({}, software_event());
  EXPECT_EQ(fields, (FieldSet{Field::comm, Field::tid, Field::time, Field::event, Field::ip, Field::sym, Field::symoff,
                              Field::dso, Field::period, Field::bpf_output}));
}

TEST(FieldSelection, ANameReplacesTheDefaultAndASignChangesIt) {
  EXPECT_EQ(chosen({"comm,ip"}, software_event()), (FieldSet{Field::comm, Field::ip}));
  const FieldSet changed = chosen({"+pid,-comm"}, software_event());
  EXPECT_TRUE(changed.has(Field::pid));
  EXPECT_FALSE(changed.has(Field::comm));
  EXPECT_TRUE(changed.has(Field::period));
}

TEST(FieldSelection, APrefixSpeaksOfOneTypeOnly) {
  EXPECT_EQ(chosen({"sw:comm"}, software_event()), (FieldSet{Field::comm}));
  EXPECT_TRUE(chosen({"hw:comm"}, software_event()).has(Field::period));
}

TEST(FieldSelection, AnAskedForFieldThatWasNotRecordedIsAnErrorThatSaysHowToRecordIt) {
  EXPECT_THAT([] { chosen({"comm,cpu"}, software_event()); },
              ThrowsMessage<UsageError>(
                  "-F cpu: event 'cpu-clock' has no such field in its samples; record with --sample-cpu"));
}

TEST(FieldSelection, MissingFieldsCanBeSkippedInstead) {
  FieldSelection selection;
  selection.apply("comm,cpu,ip");
  const Events events = software_event();
  selection.check(events, {}, false, true);
  EXPECT_EQ(selection.of(*events[0]), (FieldSet{Field::comm, Field::ip}));
  EXPECT_THAT(selection.skipped(), testing::ElementsAre(HasSubstr("-F cpu")));
}

TEST(FieldSelection, BothFormsCannotBeMixed) {
  FieldSelection selection;
  EXPECT_THROW(selection.apply("comm,+ip"), UsageError);
}

TEST(FieldSelection, WhatCannotBePrintedSaysWhy) {
  FieldSelection selection;
  EXPECT_THAT([&] { selection.apply("comm,insn"); }, ThrowsMessage<UsageError>(HasSubstr("instructions")));
  EXPECT_THAT([&] { selection.apply("commm"); }, ThrowsMessage<UsageError>(HasSubstr("unknown field")));
  EXPECT_THAT([&] { selection.apply("sw:trace"); }, ThrowsMessage<UsageError>(HasSubstr("software")));
  EXPECT_THAT([&] { selection.apply("dwarf:ip"); }, ThrowsMessage<UsageError>(HasSubstr("unknown type of event")));
}

TEST(FieldSelection, LinesNeedAnAddress) {
  FieldSelection selection;
  selection.apply("comm,srcline");
  EXPECT_THAT([&] { selection.check(software_event(), {}, false, false); },
              ThrowsMessage<UsageError>(HasSubstr("no lines without ip")));
  EXPECT_TRUE(chosen({"+srcline"}, software_event()).has(Field::srcline));
}

TEST(FieldSelection, TracepointsWithCallchainsShowThem) {
  Events events;
  events.push_back(
      event(reader::event_type::tracepoint, usual_fields | bit::raw | bit::callchain, "sched:sched_switch"));
  const FieldSet fields = chosen({}, events);
  EXPECT_EQ(fields, (FieldSet{Field::comm, Field::tid, Field::time, Field::event, Field::trace, Field::ip, Field::sym,
                              Field::symoff, Field::dso}));
  events[0]->attr.sample_type = usual_fields | bit::raw;
  EXPECT_FALSE(chosen({}, events).has(Field::ip));
}

TEST(FieldSelection, ADummyEventDecidesNothing) {
  Events events = software_event(bit::tid);
  events[0]->attr.config = 9;
  events.push_back(event(reader::event_type::software, usual_fields | bit::cpu, "cpu-clock"));
  EXPECT_TRUE(chosen({}, events).has(Field::cpu));
}

TEST(FieldSelection, TimeOfDayNeedsClockData) {
  EXPECT_THAT([] { chosen({"tod"}, software_event()); }, ThrowsMessage<UsageError>(HasSubstr("--clockid")));
}

}  // namespace
}  // namespace perfsift::output
