#include "tools/profile/apart_reader.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "analysis/table/table_builder.h"
#include "base/error.h"
#include "base/share_work.h"
#include "store/url.h"
#include "tools/pprof_input.h"
#include "tools/profile/turns.h"

namespace perfsift::tools {
namespace {

class ApartReader {
 public:
  ApartReader(std::span<const std::string> paths, OpenInputs open, analysis::Profile& profile,
              const ProfileReading& reading, std::deque<ReadInput>& inputs)
      : paths_(paths), profile_(profile), reading_(reading), inputs_(inputs), open_(paths.size()) {
    inputs_.clear();
    for (std::size_t i = 0; i < paths.size(); ++i) {
      inputs_.emplace_back();
      rows_.emplace_back();
      reports_.push_back({.path = paths[i]});
      if (auto known = open.extract(paths[i])) open_[i].emplace(std::move(known.mapped()));
    }
  }

  std::vector<InputReport> read() {
    for_each_task(reading_.threads, paths_.size(), [&](std::size_t i) {
      try {
        read(i);
      } catch (...) {
        turns_.fail();
        throw;
      }
    });
    make_tables();
    return std::move(reports_);
  }

 private:
  void read(std::size_t i) {
    std::optional<reader::InputFile> file;
    std::unique_ptr<PprofInput> pprof;
    try {
      file = open_input(i);
      if (file && kind_of(*file) == analysis::InputKind::pprof && reading_.filter.keeps_all())
        pprof = std::make_unique<PprofInput>(std::move(*file));
    } catch (const InputError& error) {
      reports_[i].error = error.what();
      if (turns_.wait_for(i)) leave_out(i);
      return;
    }
    if (pprof != nullptr) {
      if (turns_.wait_for(i)) read_pprof(i, *pprof);
    } else {
      if (turns_.wait_for_all_before(i)) read_alone(i, std::move(file));
    }
  }

  // Opens an input. Nothing for a folder and a store.
  std::optional<reader::InputFile> open_input(std::size_t i) {
    if (open_[i]) return std::move(open_[i]);
    if (store::is_store_url(paths_[i])) return std::nullopt;
    if (std::error_code none; std::filesystem::is_directory(paths_[i], none)) return std::nullopt;
    return reader::open_input(paths_[i]);
  }

  void leave_out(std::size_t i) {
    inputs_[i].first_list = inputs_[i].end_list = profile_.lists().size();
    turns_.pass();
    turns_.finish();
  }

  void read_pprof(std::size_t i, PprofInput& pprof) {
    ReadInput& input = inputs_[i];
    input.first_list = profile_.lists().size();
    pprof.start(profile_, reading_);
    input.end_list = profile_.lists().size();
    turns_.pass();
    reports_[i].kind = analysis::InputKind::pprof;
    try {
      // The lists before this list are not complete yet, so its stacks are numbered from 0.
      pprof.collect(0, &rows_[i], reports_[i]);
    } catch (const InputError& error) {
      reports_[i] = {.path = paths_[i], .error = error.what()};
    }
    turns_.finish();
  }

  void read_alone(std::size_t i, std::optional<reader::InputFile> file) {
    ReadInput& input = inputs_[i];
    input.first_list = profile_.lists().size();
    ProfileReading reading = reading_;
    reading.rows = &rows_[i];
    try {
      reports_[i] = file ? read_into_profile(std::move(*file), profile_, reading)
                         : read_into_profile(paths_[i], profile_, reading);
    } catch (const InputError& error) {
      reports_[i] = {.path = paths_[i], .error = error.what()};
    }
    input.end_list = profile_.lists().size();
    turns_.pass();
    turns_.finish();
  }

  // Stacks of pprof profiles are numbered from 0 in their rows. In the profile, they follow the stacks of the earlier
  // inputs.
  void make_tables() {
    std::vector<std::uint32_t> first_stacks;
    std::uint32_t stacks = 0;
    std::size_t list = 0;
    for (const ReadInput& input : inputs_) {
      for (; list < input.first_list; ++list)
        stacks += static_cast<std::uint32_t>(profile_.lists()[list].entries().size());
      first_stacks.push_back(stacks);
    }
    for_each_task(reading_.threads, inputs_.size(), [&](std::size_t i) {
      ReadInput& input = inputs_[i];
      if (reports_[i].kind == analysis::InputKind::pprof) rows_[i].add_to_stacks(first_stacks[i]);
      input.table = std::move(rows_[i]).seal(profile_, input.first_list, input.end_list);
    });
  }

  const std::span<const std::string> paths_;
  analysis::Profile& profile_;
  const ProfileReading& reading_;
  std::deque<ReadInput>& inputs_;
  std::deque<analysis::TableBuilder> rows_;  // by input
  std::vector<std::optional<reader::InputFile>> open_;
  std::vector<InputReport> reports_;
  Turns turns_;
};

}  // namespace

std::vector<InputReport> read_apart(std::span<const std::string> paths, OpenInputs open, analysis::Profile& profile,
                                    const ProfileReading& reading, std::deque<ReadInput>& inputs) {
  return ApartReader(paths, std::move(open), profile, reading, inputs).read();
}

}  // namespace perfsift::tools
