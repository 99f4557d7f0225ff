// Marks that a function leaves in its own frame while it runs. So a copy of the stack shows which functions were really
// active.
//
// The marks are never out of date: a mark is in the bytes that perf copies.
#pragma once

#include <cstdint>

namespace truth {

constexpr std::uint64_t magic = 0x7a69d4e1c35b8f02;

// outermost: the frame of main() or of a thread's first function. The stack ends a little above this frame.
enum class Kind : std::uint64_t { inner, outermost };

// Functions that are always inlined, so their mark is in the frame of another function. Their names in debug
// information start with inlined_inner, …
enum class Inlined : std::uint64_t { no, inner, middle, outer };

struct Layout {
  std::uint64_t magic;  // written last, cleared first
  std::uint64_t self;   // the address of the mark
  std::uint64_t code;   // an address in the function
  Kind kind;
  Inlined inlined;
};

class Mark {
 public:
  [[gnu::always_inline]] explicit Mark(Kind kind = Kind::inner, Inlined inlined = Inlined::no) {
    std::uint64_t here;
#if defined(__x86_64__)
    asm volatile("lea 0(%%rip), %0" : "=r"(here));
#elif defined(__aarch64__)
    asm volatile("adr %0, ." : "=r"(here));
#else
#error "no way to ask for the program counter"
#endif
    layout_.self = reinterpret_cast<std::uint64_t>(&layout_);
    layout_.code = here;
    layout_.kind = kind;
    layout_.inlined = inlined;
    layout_.magic = magic;
  }
  [[gnu::always_inline]] ~Mark() { layout_.magic = 0; }
  Mark(const Mark&) = delete;

 private:
  volatile Layout layout_;
};

}  // namespace truth

// The first statement of a function.
#define TRUTH_MARK const ::truth::Mark truth_mark
#define TRUTH_MARK_INLINED(which) const ::truth::Mark truth_mark(::truth::Kind::inner, ::truth::Inlined::which)
// Keeps functions separate: an inlined function has no frame.
#define TRUTH_FRAME [[gnu::noinline]]
#define TRUTH_INLINED [[gnu::always_inline]] inline
