// A program that was built again after it was recorded without build ids. Its names are those of another file.

#include <filesystem>

#include <gmock/gmock.h>

#include "symbolize/files/file_stamp.h"
#include "tests/support/plt_program.h"
#include "tests/support/recording_builder.h"
#include "tests/support/temporary.h"
#include "tests/tools/run_command.h"

namespace perfsift::tools {
namespace {

using reader::RecordType;
using testing::HasSubstr;

constexpr std::uint16_t stray_bit = reader::misc::mmap_build_id;

class ReplacedFiles : public testing::Test {
 protected:
  ReplacedFiles() : program_(directory_.write("program", test::PltProgram().image())) {}

  // A sample in the function `picked` of the program, with the program's current mapping.
  std::string record(std::uint16_t misc = 0) const {
    const symbolize::FileStamp stamp = symbolize::stamp_of(program_).value();
    test::RecordingBuilder in;
    test::BytesBuilder mapping = in.bytes();
    mapping.u32(7).u32(7).u64(test::PltProgram::base).u64(0x1000).u64(0);
    mapping.u32(254).u32(0).u64(stamp.inode).u64(0).u32(5).u32(2).padded(program_);
    in.timed_event().comm_at(1, 7, "program");
    in.record_at(2, RecordType::mmap2, mapping, test::user_mode | misc);
    in.record(RecordType::sample, in.bytes().u64(test::PltProgram::text).u32(7).u32(7).u64(10), test::user_mode);
    return directory_.write("perf.data", in.file());
  }
  // The linker removes the old program before it writes the new one. The old program stays under another name, so no
  // other file gets its inode.
  void build_anew() const {
    std::filesystem::rename(program_, program_ + ".old");
    directory_.write("program", test::PltProgram().image());
  }
  static std::string fold_of(const std::string& recording, const options::Arguments& arguments = {}) {
    options::Arguments all = {"-i", recording, "--no-cache"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome outcome = run_command("fold", all);
    return outcome.out + outcome.err;
  }

  const test::TemporaryDirectory directory_;
  const std::string program_;
};

TEST_F(ReplacedFiles, GiveNoNamesToAnOlderRecordingWithoutBuildIds) {
  const std::string recording = record();
  EXPECT_THAT(fold_of(recording), HasSubstr("program;picked 1\n"));
  build_anew();
  EXPECT_THAT(fold_of(recording), HasSubstr("program;[program] 1\n"));
  EXPECT_THAT(fold_of(recording, {"--unresolved"}),
              HasSubstr("the file here is not the recorded one, by its inode, size or date (no build id was recorded): "
                        "1 frame, 100 %"));
  EXPECT_THAT(fold_of(recording, {"--unresolved"}), HasSubstr("--force"));
  EXPECT_THAT(fold_of(recording, {"--force"}), HasSubstr("program;picked 1\n"));
}

// The numbers of the file, which a misleading bit marks as a build id: see the tests of decode_mmap2().
TEST_F(ReplacedFiles, AreKnownByTheirNumbersAlsoBehindAStrayBit) {
  const std::string recording = record(stray_bit);
  EXPECT_THAT(fold_of(recording), HasSubstr("program;picked 1\n"));
  build_anew();
  EXPECT_THAT(fold_of(recording), HasSubstr("program;[program] 1\n"));
}

TEST_F(ReplacedFiles, AreNotDisassembledEither) {
  const std::string recording = record();
  build_anew();
  const Outcome outcome = run_command("report", {"-i", recording, "--no-cache", "--annotate=[program]"});
  EXPECT_THAT(outcome.out, HasSubstr("the code has no name here: see --unresolved"));
}

}  // namespace
}  // namespace perfsift::tools
