// The names of a recording's addresses, by one symbolizer and in one style.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <perfsift/symbolizer.h>

#include "analysis/samples/code_versions.h"
#include "analysis/samples/comm_texts.h"
#include "analysis/samples/frame_namer.h"
#include "analysis/samples/stack_namer.h"
#include "library/symbolizer_state.h"
#include "reader/recording.h"

namespace perfsift::v0::detail {

struct NamingStyle {
  Demangling demangling = Demangling::plain;
  bool inlines = true;
  // How finely frames are distinguished; see analysis::FrameDetail.
  analysis::FrameDetail detail = analysis::FrameDetail::address;
  bool operator==(const NamingStyle&) const = default;
};

// Thread-safe. The recording must live longer.
class Naming {
 public:
  // Names for one thread, so that no other thread must wait. Not thread-safe.
  class Names {
   public:
    explicit Names(Naming& owner);

    analysis::StackNamer& stacks() { return stacks_; }
    analysis::FrameNamer& namer() { return namer_; }
    analysis::FrameTable& table() { return table_; }
    analysis::CommTexts& comms() { return comms_; }
    // The frame with this number. Lives as long as the Naming.
    const Frame& frame(analysis::FrameId id);

   private:
    analysis::FrameTable table_;
    analysis::FrameNamer namer_;
    analysis::StackNamer stacks_;
    analysis::CommTexts comms_;
    std::deque<std::optional<Frame>> frames_;  // by FrameId
  };

  // Names that no other thread uses meanwhile, for as long as the object lives.
  class Lease {
   public:
    explicit Lease(Naming& owner) : owner_(owner), names_(owner.take()) {}
    ~Lease() { owner_.give_back(names_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Names& operator*() const { return names_; }
    Names* operator->() const { return &names_; }

   private:
    Naming& owner_;
    Names& names_;
  };

  Naming(const reader::Recording& recording, std::shared_ptr<SymbolizerState> symbolizer, const NamingStyle& style);

  bool is_for(const SymbolizerState& symbolizer, const NamingStyle& style) const {
    return symbolizer_.get() == &symbolizer && style_ == style;
  }
  symbolize::Symbolizer& symbolizer() { return symbolizer_->symbolizer; }
  const analysis::CodeVersions& versions() const { return versions_; }

 private:
  Names& take();
  void give_back(Names& names);

  const reader::Recording& recording_;
  const std::shared_ptr<SymbolizerState> symbolizer_;
  const NamingStyle style_;
  const analysis::CodeVersions versions_;
  std::mutex mutex_;
  std::deque<Names> names_;
  std::vector<Names*> free_;
};

}  // namespace perfsift::v0::detail
