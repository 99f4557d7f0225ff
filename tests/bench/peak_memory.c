// Runs a command and prints its peak memory in kB:
//
//   peak_memory COMMAND...     prints "ANONYMOUS RESIDENT"
//
// Resident memory includes the pages of a mapped recording, which the system can reclaim at any time; anonymous memory
// is the command's own allocations. The kernel keeps only the peak of resident memory, so anonymous memory is read
// from /proc every 200 microseconds.
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long anonymous_kb(const char* status_path) {
  long kb = 0;
  FILE* status = fopen(status_path, "r");
  if (status == NULL) return 0;
  char line[256];
  while (fgets(line, sizeof line, status) != NULL) {
    if (sscanf(line, "RssAnon: %ld", &kb) == 1) break;
  }
  fclose(status);
  return kb;
}

int main(int argc, char** argv) {
  if (argc < 2) return fputs("Usage: peak_memory COMMAND...\n", stderr), 2;
  const pid_t child = fork();
  if (child < 0) return perror("fork"), 1;
  if (child == 0) {
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    _exit(127);
  }

  char status_path[64];
  snprintf(status_path, sizeof status_path, "/proc/%d/status", (int)child);
  const struct timespec pause = {0, 200000};
  long peak = 0;
  int exit_status = 0;
  struct rusage usage;
  while (wait4(child, &exit_status, WNOHANG, &usage) == 0) {
    const long kb = anonymous_kb(status_path);
    if (kb > peak) peak = kb;
    nanosleep(&pause, NULL);
  }
  printf("%ld %ld\n", peak, usage.ru_maxrss);
  return WIFEXITED(exit_status) ? WEXITSTATUS(exit_status) : 1;
}
