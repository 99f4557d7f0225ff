// Linked into the truth program for aarch64: copies the registers and the stack of a thread a thousand times per
// second, into the file $TRUTH_LOG. The mappings of the process are in $TRUTH_LOG.maps, as /proc/self/maps shows them.
#include "tests/truth/stack_copier.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace {

int log_file = -1;
std::uint64_t written;  // bytes of the log, by all threads

// The code to which a handler returns. The kernel's is in its vdso, which qemu 7.2 does not have: the same instructions
// are in the program, with the CFI of kernels before 5.8 or without, as in later ones
// (arch/arm64/kernel/vdso/sigreturn.S).
extern "C" void truth_trampoline();
asm(".text\n"
    "nop\n"
    ".globl truth_trampoline\n"
    ".type truth_trampoline, %function\n"
    "truth_trampoline:\n"
#ifdef TRUTH_TRAMPOLINE_WITH_CFI
    ".cfi_startproc\n"
    ".cfi_signal_frame\n"
    ".cfi_def_cfa x29, 0\n"
    ".cfi_offset x29, 0\n"
    ".cfi_offset x30, 8\n"
#endif
    "mov x8, #139\n"  // rt_sigreturn
    "svc #0\n"
#ifdef TRUTH_TRAMPOLINE_WITH_CFI
    ".cfi_endproc\n"
#endif
    ".size truth_trampoline, .-truth_trampoline\n");

// Copies up to the first byte that cannot be read: write() then fails instead of the program.
std::uint64_t copy_stack(std::uint64_t from, std::uint64_t at) {
  constexpr std::uint64_t page = 4096;
  std::uint64_t size = 0;
  while (size < truth::most_copied) {
    const std::uint64_t rest = page - (from + size) % page;
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(rest, truth::most_copied - size));
    if (pwrite(log_file, reinterpret_cast<const void*>(from + size), part, static_cast<off_t>(at + size)) < 0) break;
    size += part;
  }
  return size;
}

std::uint64_t vector_granules() {
  const int length = prctl(PR_SVE_GET_VL);
  return length < 0 ? 0 : static_cast<std::uint64_t>(length & PR_SVE_VL_LEN_MASK) / 8;
}

void copy(int, siginfo_t*, void* context) {
  const mcontext_t& state = static_cast<const ucontext_t*>(context)->uc_mcontext;
  const std::uint64_t at =
      __atomic_fetch_add(&written, sizeof(truth::CopiedStack) + truth::most_copied, __ATOMIC_RELAXED);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  truth::CopiedStack sample{
      .pid = static_cast<std::uint32_t>(getpid()),
      .tid = static_cast<std::uint32_t>(syscall(SYS_gettid)),
      .time = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec)};
  std::copy(std::begin(state.regs), std::end(state.regs), sample.registers);
  sample.registers[31] = state.sp;
  sample.registers[32] = state.pc;
  sample.registers[33] = vector_granules();
  sample.size = copy_stack(state.sp, at + sizeof sample);
  pwrite(log_file, &sample, sizeof sample, static_cast<off_t>(at));
}

void copy_maps(const std::string& path) {
  const int maps = open("/proc/self/maps", O_RDONLY), out = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  char text[4096];
  for (ssize_t size; (size = read(maps, text, sizeof text)) > 0;) {
    if (write(out, text, static_cast<std::size_t>(size)) != size) std::abort();
  }
  close(maps);
  close(out);
}

// struct kernel_sigaction. The C library gives no restorer to the kernel, because the kernel's vdso has the trampoline.
struct KernelAction {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)();
  unsigned long mask;
};

}  // namespace

// Takes the place of the function in the C library, for the handlers of the program as well.
extern "C" int sigaction(int signal, const struct sigaction* action, struct sigaction*) noexcept {
  constexpr unsigned long sa_restorer = 0x04000000;
  KernelAction kernel{.handler = action->sa_handler,
                      .flags = static_cast<unsigned long>(action->sa_flags) | sa_restorer,
                      .restorer = truth_trampoline,
                      .mask = 0};
  return static_cast<int>(syscall(SYS_rt_sigaction, signal, &kernel, nullptr, sizeof kernel.mask));
}

namespace {

bool prepare(const std::string& path) {
  log_file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  copy_maps(path + ".maps");
  struct sigaction action {};
  action.sa_sigaction = copy;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  return sigaction(SIGPROF, &action, nullptr) == 0;
}

}  // namespace

// From now on, this thread is interrupted and its stack copied.
extern "C" void truth_copy_stacks_of_thread() {
  const char* const path = std::getenv("TRUTH_LOG");
  if (path == nullptr) return;
  static const bool prepared = prepare(path);  // once, whatever thread is the first
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  timer_t timer{};
  constexpr timespec often{.tv_sec = 0, .tv_nsec = 1'000'000};
  const itimerspec times{.it_interval = often, .it_value = often};
  const bool started =
      timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 && timer_settime(timer, 0, &times, nullptr) == 0;
  if (!prepared || !started) std::abort();
}
