// Profiles with stored runs, as perfsift check reads them: comments, samples by run and block, and the digest. The
// digest is made right, so that the reader does not stop there. The result is stored and read again.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

#include "analysis/gate/stored_digest.h"
#include "analysis/gate/stored_runs.h"
#include "analysis/input/pprof_fields.h"
#include "analysis/profile/largest_sum.h"
#include "base/error.h"
#include "tests/fuzz/memory_file.h"
#include "tests/support/temporary.h"
#include "tools/gate/run_store.h"
#include "tools/profile/apart_reader.h"

using namespace perfsift;

namespace {

// Replaces the digest of a stored profile by the digest of the bytes before it.
std::vector<std::uint8_t> with_digest(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> bytes(data, data + size);
  namespace pprof = analysis::pprof;
  if (size < pprof::digest_comment.size() + pprof::digest_digits) return bytes;
  const std::size_t digits = size - pprof::digest_digits, key = digits - pprof::digest_comment.size();
  for (std::size_t i = 0; i < pprof::digest_comment.size(); ++i) {
    if (bytes[key + i] != static_cast<std::uint8_t>(pprof::digest_comment[i])) return bytes;
  }
  const std::string digest = fmt::format("{:08x}", crc32_z(0, bytes.data(), digits));
  for (std::size_t i = 0; i < digest.size(); ++i) bytes[digits + i] = static_cast<std::uint8_t>(digest[i]);
  return bytes;
}

struct Read {
  analysis::Profile profile;
  std::deque<tools::ReadInput> inputs;
  std::vector<tools::InputReport> reports;

  explicit Read(const std::vector<std::uint8_t>& bytes) {
    const test::MemoryFile file(bytes);
    symbolize::Symbolizer symbolizer;
    const analysis::StackOptions stacks = tools::stored_stacks({});
    const analysis::EventSelection events({});
    const filter::Filter all;
    tools::Progress none(true);
    const std::vector<std::string> paths{file.path()};
    reports = tools::read_apart(paths, {}, profile, {symbolizer, stacks, events, all, 1, none}, inputs);
    check_sums();
  }
  bool usable() const { return reports.front().usable(); }

 private:
  // As merge does: see ProfileCommand::read_apart().
  void check_sums() const {
    std::vector<analysis::Amount> sums(profile.events().size());
    for (const analysis::StackList& list : profile.lists()) {
      for (const analysis::StackList::Entry& stack : list.entries())
        analysis::add_to_sum(stack.amount, sums[profile.callers(stack.callers).event]);
    }
  }
};

std::vector<std::uint8_t> stored(const Read& read, bool one_run) {
  const tools::InputOfRuns input{.report = read.reports.data(), .read = &read.inputs.front()};
  tools::RunStore store(read.profile, {&input, 1}, one_run);
  store.stamp(1);
  static const test::TemporaryDirectory folder;
  const std::string path = folder.path() / "stored";
  output::OutputFile out(path);
  store.write(1, out);
  out.commit();
  const std::string bytes = test::content_of(path);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Read first(with_digest(data, size));
    if (!first.usable() || first.reports.front().kept == 0) return 0;  // merge writes no profile without samples
    const std::vector<analysis::Run> runs = tools::runs_of(first.reports.front());
    for (const bool one_run : {false, true}) {
      const Read second(stored(first, one_run));
      if (!second.usable()) __builtin_trap();
      if (tools::runs_of(second.reports.front()).size() != (one_run ? 1 : runs.size())) __builtin_trap();
    }
  } catch (const InputError&) {  // the runs were changed, or the sums are too large
  }
  return 0;
}
