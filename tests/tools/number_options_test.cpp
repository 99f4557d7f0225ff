// Options of all commands with numbers as their values.

#include <set>

#include <gmock/gmock.h>

#include "options/number_option.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

using ::testing::HasSubstr;

const std::set<std::string> names_of_numbers = {"N", "F", "NUMBER", "PIXELS", "PERCENT"};

// Visits each option of each command that has a number as its value.
void for_each_number(const auto& visit) {
  for (const Command* const command : commands()) {
    for (const options::OptionFact& option : options_of(*command)) {
      if (names_of_numbers.contains(option.value)) visit(*command, option);
    }
  }
}

TEST(NumberOptions, OfAllCommandsRefuseWhatIsNoSuchNumber) {
  std::set<std::string> tested;
  for_each_number([&](const Command& command, const options::OptionFact& option) {
    tested.insert(option.name);
    for (const char* wrong : {"-5", "nan", "inf", "1e999", "-1e-9", "5x", "0x5", " 5", "+5", ""}) {
      const Outcome outcome = run_command(command.name, {option.name, wrong});
      EXPECT_EQ(outcome.status, wrong_usage) << command.name << ' ' << option.name << ' ' << wrong;
      EXPECT_THAT(outcome.err, HasSubstr(option.name + " " + wrong + ": a "));
      EXPECT_THAT(outcome.err, HasSubstr(" is needed\n"));
    }
  });
  EXPECT_GE(tested.size(), 25u);
}

TEST(NumberOptions, AreRefusedBehindAnEqualSignToo) {
  for_each_number([](const Command& command, const options::OptionFact& option) {
    EXPECT_THAT(run_command(command.name, {option.name + "=-5"}).err, HasSubstr(option.name + " -5: a "));
  });
}

// A command that parses one option of each kind.
struct Numbers {
  std::uint8_t small = 7;
  std::optional<std::uint64_t> large;
  double share = 0.5;
  std::optional<double> factor;

  explicit Numbers(const options::Arguments& arguments) {
    options::po::options_description description;
    auto add = description.add_options();
    add("small", options::whole_number(small, {.least = 3}), "");
    add("large", options::whole_number(large), "");
    add("share", options::percentage(share), "");
    add("factor", options::number(factor, {.least = 0.5, .most = 2}), "");
    options::parse(arguments, "", description);
  }
};

std::string error(const options::Arguments& arguments) {
  try {
    Numbers{arguments};
    return "no error";
  } catch (const UsageError& wrong) {
    return wrong.what();
  }
}

TEST(NumberOptions, TakeAllNumbersOfTheirRange) {
  EXPECT_EQ(Numbers({}).small, 7);
  EXPECT_EQ(Numbers({}).large, std::nullopt);
  EXPECT_EQ(Numbers({"--small", "3"}).small, 3);
  EXPECT_EQ(Numbers({"--small", "255"}).small, 255);
  EXPECT_EQ(Numbers({"--large", "18446744073709551615"}).large, 18446744073709551615u);
  EXPECT_EQ(Numbers({"--large=0"}).large, 0u);
  EXPECT_EQ(Numbers({"--share", "12.5%"}).share, 12.5);
  EXPECT_EQ(Numbers({"--share", "1e2"}).share, 100);
  EXPECT_EQ(Numbers({"--share", "0"}).share, 0);
  EXPECT_EQ(Numbers({"--factor", "2"}).factor, 2);
}

TEST(NumberOptions, SayWhichNumbersTheyTake) {
  EXPECT_EQ(error({"--small", "2"}), "--small 2: a whole number from 3 on is needed");
  EXPECT_EQ(error({"--small", "256"}), "--small 256: a whole number from 3 to 255 is needed");
  EXPECT_EQ(error({"--large", "18446744073709551616"}),
            "--large 18446744073709551616: a whole number from 0 to 18446744073709551615 is needed");
  EXPECT_EQ(error({"--share", "100.1%"}), "--share 100.1%: a percentage from 0 to 100 is needed");
  EXPECT_EQ(error({"--share", "5%%"}), "--share 5%%: a percentage from 0 to 100 is needed");
  EXPECT_EQ(error({"--share", "%"}), "--share %: a percentage from 0 to 100 is needed");
  EXPECT_EQ(error({"--factor", "1%"}), "--factor 1%: a number from 0.5 to 2 is needed");
  EXPECT_EQ(error({"--large", "\x1b[1m"}), "--large \\x1b[1m: a whole number from 0 on is needed");
  EXPECT_THAT(error({"--large", "1", "--large", "2"}), HasSubstr("more than once"));
}

}  // namespace
}  // namespace perfsift::tools
