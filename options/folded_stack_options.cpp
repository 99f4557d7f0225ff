#include "options/folded_stack_options.h"

#include <cstddef>
#include <sstream>

#include "base/error.h"
#include "options/number_option.h"
#include "options/optional_word.h"

namespace perfsift::options {
namespace {

constexpr std::size_t deepest = 1 << 20;

symbolize::DemangleStyle demangle_style(const std::string& name) {
  if (name == "plain") return symbolize::DemangleStyle::plain;
  if (name == "full") return symbolize::DemangleStyle::full;
  if (name == "raw") return symbolize::DemangleStyle::raw;
  throw UsageError("--demangle " + name + ": there are plain, full and raw");
}

analysis::Recursion recursion(const std::string& name) {
  if (name.empty()) return analysis::Recursion::kept;
  if (name == "direct") return analysis::Recursion::direct;
  if (name == "cycles") return analysis::Recursion::cycles;
  throw UsageError("--collapse-recursion " + name + ": there are direct and cycles");
}

analysis::Interrupts interrupts_option(const std::string& word) {
  if (word == "keep") return analysis::Interrupts::keep;
  if (word == "apart") return analysis::Interrupts::apart;
  if (word == "drop") return analysis::Interrupts::drop;
  throw UsageError("--interrupts " + word + ": there are keep, apart and drop");
}

}  // namespace

void FoldedStackOptions::add_to(po::options_description& options) {
  const bool named_here = named_by_ == NamedBy::perfsift;
  auto add = options.add_options();
  add("with-pid", po::bool_switch(&stacks_.pid), "show the process id behind the thread name: comm-PID");
  add("with-tid", po::bool_switch(&stacks_.tid), "show both ids behind the thread name: comm-PID/TID");
  if (named_here) {
    add("with-cgroup", po::bool_switch(&stacks_.cgroup), "add a frame for the control group before the thread name");
  }
  add("no-comm", po::bool_switch(&no_comm_), "leave out the frame with the thread name");
  add("annotate", po::value(&annotate_)->value_name("KINDS"),
      named_here ? "mark frames: kernel _[k], jit _[j], inline _[i], guess _[g], leaf _[l], or all"
                 : "mark frames: kernel _[k], jit _[j], guess _[g], or all");
  if (named_here) {
    add("addresses", po::bool_switch(&stacks_.frames.addresses),
        "show the address of unnamed frames: [libc.so.6+0x1234]");
  }
  add("max-depth", whole_number(stacks_.shape.max_depth, {.least = 0, .most = deepest}),
      "keep only N frames, counted from the root");
  add("delimiter", optional_word(delimiter_, "-")->value_name("FRAME"),
      "insert a frame between the user and the kernel part");
  if (named_here) add_recursion_to(options);
  add_frames_to(options);
  if (named_here) add_interrupts_to(options);
}

void FoldedStackOptions::add_recursion_to(po::options_description& options) {
  options.add_options()("collapse-recursion", optional_word(recursion_, "direct")->value_name("direct|cycles"),
                        "show recursive calls as one frame: direct ones, or cycles, too");
}

void FoldedStackOptions::add_frames_to(po::options_description& options) {
  options.add_options()("weight", po::value(&weight_)->value_name("samples|period"), "the weight of a sample (period)");
  add_unweighted_frames_to(options);
}

void FoldedStackOptions::add_interrupts_to(po::options_description& options) {
  options.add_options()("interrupts", po::value(&interrupts_)->value_name("keep|apart|drop"),
                        "samples in interrupts: keep on the program's stack, move to [interrupt], or drop (keep)");
}

void FoldedStackOptions::add_unweighted_frames_to(po::options_description& options) {
  add_physical_frames_to(options);
  if (named_by_ == NamedBy::perf) return;
  options.add_options()("no-inline", po::bool_switch(&no_inline_), "do not show inlined calls as frames");
}

void FoldedStackOptions::add_physical_frames_to(po::options_description& options) {
  auto add = options.add_options();
  add("kernel-only", po::bool_switch(&kernel_only_), "keep only the kernel part of stacks");
  add("user-only", po::bool_switch(&user_only_), "keep only the user part of stacks");
  if (named_by_ == NamedBy::perf) return;
  add("max-stack", whole_number(stacks_.unwind.max_frames, {.least = 1, .most = deepest}),
      "unwind at most N frames (127)");
  add("repair-stacks", po::bool_switch(&stacks_.unwind.repair),
      "continue cut stacks with earlier samples of the thread (frames marked _[r])");
  add("demangle", po::value(&demangle_)->value_name("plain|full|raw"),
      "C++ and Rust names: without parameters, with parameters, or mangled");
}

const analysis::StackOptions& FoldedStackOptions::stacks() {
  if (weight_ != "samples" && weight_ != "period") {
    throw UsageError("--weight " + weight_ + ": there are samples and period");
  }
  if (kernel_only_ && user_only_) throw UsageError("--kernel-only and --user-only together leave no frames");
  stacks_.weight = weight_ == "samples" ? analysis::Weight::samples : analysis::Weight::period;
  stacks_.comm = !no_comm_;
  stacks_.frames.inlines = !no_inline_;
  if (named_by_ == NamedBy::perfsift) stacks_.frames.demangling = demangle_style(demangle_);
  if (kernel_only_) stacks_.shape.part = analysis::StackPart::kernel_only;
  stacks_.shape.interrupts = interrupts_option(interrupts_);
  if (user_only_) stacks_.shape.part = analysis::StackPart::user_only;
  stacks_.shape.recursion = recursion(recursion_);
  if (!delimiter_.empty()) stacks_.shape.delimiter = delimiter_;
  set_annotations();
  return stacks_;
}

void FoldedStackOptions::set_annotations() {
  const bool named_here = named_by_ == NamedBy::perfsift;
  std::istringstream kinds(annotate_);
  for (std::string kind; std::getline(kinds, kind, ',');) {
    const bool all = kind == "all", inlined = named_here && (all || kind == "inline");
    const bool leaf = named_here && (all || kind == "leaf");
    if (!all && !inlined && !leaf && kind != "kernel" && kind != "jit" && kind != "guess") {
      throw UsageError("--annotate " + kind + ": there are kernel, jit, " + (named_here ? "inline, leaf, " : "") +
                       "guess and all");
    }
    stacks_.frames.annotate_kernel |= all || kind == "kernel";
    stacks_.frames.annotate_jit |= all || kind == "jit";
    stacks_.frames.annotate_inline |= inlined;
    stacks_.frames.annotate_guess |= all || kind == "guess";
    stacks_.frames.annotate_leaf |= leaf;
  }
}

}  // namespace perfsift::options
