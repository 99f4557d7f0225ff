// Runs commands of perfsift for campaign.py, one after the other in this process. Loading the program takes several
// times as long as a command on an input of a few bytes.
//
// A request on standard input has the number of seconds after which the server is killed, the number of words, and the
// words of the command, each ended by a zero byte. The command writes to the files `stdout` and `stderr` of the working
// folder. The answer is a line: the exit status, microseconds on a CPU, and the largest memory of the process in
// kilobytes.
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "output/files/unfinished_files.h"
#include "tools/command.h"
#include "tools/program.h"
#include "tools/shorter_inputs.h"

namespace {

using perfsift::options::Arguments;

void redirect(int descriptor, const char* file, int flags) {
  const int opened = open(file, flags | O_CLOEXEC, 0600);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(100);
  close(opened);
}

std::string next_word() {
  std::string word;
  std::getline(std::cin, word, '\0');
  return word;
}

long microseconds_on_cpu() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000 + time.tv_nsec / 1'000;
}

// proc(5): resets the largest amount of memory.
void forget_most_memory() { std::ofstream("/proc/self/clear_refs") << '5'; }

long most_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stol(line.substr(6));
  }
  return 0;
}

int run(const Arguments& words) {
  redirect(STDOUT_FILENO, "stdout", O_WRONLY | O_CREAT | O_TRUNC);
  redirect(STDERR_FILENO, "stderr", O_WRONLY | O_CREAT | O_TRUNC);
  return perfsift::tools::with_errors_told([&] { return perfsift::tools::run_program(words); });
}

}  // namespace

int main() {
  std::FILE* const answers = fdopen(dup(STDOUT_FILENO), "w");
  perfsift::output::remove_unfinished_files_on_signals();
  perfsift::tools::end_at_shorter_inputs();
  for (std::string seconds = next_word(); !seconds.empty(); seconds = next_word()) {
    Arguments words(std::stoul(next_word()));
    for (std::string& word : words) word = next_word();
    alarm(static_cast<unsigned>(std::stoul(seconds)));
    forget_most_memory();
    const long before = microseconds_on_cpu();
    const int status = run(words);
    std::fprintf(answers, "%d %ld %ld\n", status, microseconds_on_cpu() - before, most_kilobytes());
    std::fflush(answers);
  }
}
