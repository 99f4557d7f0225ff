#include "output/files/unfinished_files.h"

#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>

#include <unistd.h>

namespace perfsift::output {
namespace {

// A signal handler may neither allocate nor lock. There are enough slots for the files that are written at once, except
// in runs of many threads on a file system without O_TMPFILE: further files of such a run stay.
struct Slot {
  std::atomic<bool> taken = false;
  std::atomic<bool> noted = false;
  std::array<char, PATH_MAX> path;
};
std::array<Slot, 16> files_to_remove;

extern "C" void remove_and_end(int signal) {
  remove_unfinished_files();
  raise(signal);  // SA_RESETHAND has restored the default action
}

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& path) { note(path); }

void UnfinishedFile::note(const std::string& path) {
  forget();
  if (path.size() >= PATH_MAX) return;
  for (std::size_t i = 0; i < files_to_remove.size(); ++i) {
    if (files_to_remove[i].taken.exchange(true)) continue;
    std::memcpy(files_to_remove[i].path.data(), path.c_str(), path.size() + 1);
    files_to_remove[i].noted = true;
    slot_ = i;
    return;
  }
}

void UnfinishedFile::forget() {
  if (slot_ == none) return;
  files_to_remove[slot_].noted = false;
  files_to_remove[slot_].taken = false;
  slot_ = none;
}

void remove_unfinished_files() {
  for (const Slot& slot : files_to_remove) {
    if (slot.noted) unlink(slot.path.data());
  }
}

void remove_unfinished_files_on_signals() {
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_handler = remove_and_end;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace perfsift::output
