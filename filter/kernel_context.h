// The values of `context`: the work of the kernel, and for whom, by the names of the frames of a stack.
//
// A callchain has no mark where an interrupt begins: the frames of the interrupt stand on those of the program that it
// interrupted, as if the program had called it. Only the functions by which the kernel is entered distinguish them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "filter/field.h"

namespace perfsift::filter {

// The context that begins where a function of the kernel is called.
enum class KernelEntry : std::uint8_t { none, syscall, exception, interrupt, softirq, nmi };

// Suffixes of the compiler do not matter: "do_softirq.part.0". All names are in one table, in the source file.
KernelEntry kernel_entry(std::string_view function);

// The context in which a sample was taken.
enum class Context : std::uint8_t {
  user,    // code of the user
  kernel,  // code of the kernel, and no frame says how it was entered: a thread of the kernel, or a cut stack
  syscall,
  exception,  // page faults, traps
  interrupt,
  softirq,
  nmi,
};

std::string_view context_name(Context context);
// Each context as a bit.
std::span<const Word> context_words();
constexpr std::uint64_t context_bit(Context context) { return std::uint64_t{1} << static_cast<unsigned>(context); }

// The context of a stack, frame by frame from the root to the leaf.
//
// An interrupt lasts until it returns, as for the kernel: an exception in an interrupt is the interrupt's, and so is
// all that follows the handler, such as the scheduler in irqentry_exit_to_user_mode(), which runs because of the
// interrupt and not because of the program. Unlike for the kernel, a softirq that a system call runs itself when it
// enables softirqs again (local_bh_enable()) is the call's: on a loopback connection it is how the data arrive.
class StackContext {
 public:
  // The next inner frame is one of the kernel.
  void enter(KernelEntry entry);

  Context context() const { return context_; }
  // Whether the frame, and all further in, is work of the machine and not of the program: an interrupt, an NMI, or a
  // softirq that follows an interrupt or runs in ksoftirqd.
  bool is_interrupt() const { return context_ >= Context::interrupt; }

 private:
  Context context_ = Context::user;
};

}  // namespace perfsift::filter
