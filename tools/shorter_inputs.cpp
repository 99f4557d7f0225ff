#include "tools/shorter_inputs.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

#include "base/page_size.h"
#include "output/files/unfinished_files.h"
#include "tools/command.h"

namespace perfsift::tools {
namespace {

// Set before the handler is.
std::uintptr_t page_bytes = 0;
std::atomic<bool> reads_zeros = false;

bool put_zeros_at(const void* address) {
  const std::uintptr_t page = reinterpret_cast<std::uintptr_t>(address) & ~(page_bytes - 1);
  constexpr int anywhere_else = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  return mmap(reinterpret_cast<void*>(page), page_bytes, PROT_READ | PROT_WRITE, anywhere_else, -1, 0) != MAP_FAILED;
}

// Calls only what a signal handler may call.
extern "C" void page_is_gone(int signal, siginfo_t* info, void*) {
  if (info->si_code != BUS_ADRERR) {  // memory is broken
    std::signal(signal, SIG_DFL);
    return;
  }
  if (reads_zeros && put_zeros_at(info->si_addr)) return;
  constexpr std::string_view message = "perfsift: an input became shorter while it was read: read it again\n";
  (void)!write(STDERR_FILENO, message.data(), message.size());
  output::remove_unfinished_files();
  _exit(input_unusable);
}

}  // namespace

void end_at_shorter_inputs() {
  page_bytes = page_size();
  struct sigaction action {};
  action.sa_sigaction = page_is_gone;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

void read_zeros_of_shorter_inputs() { reads_zeros = true; }

}  // namespace perfsift::tools
