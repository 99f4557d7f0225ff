// The bound for tools that must read every record of a recording: maps the recording and goes from header to header.
//
//   walk_headers FILE     prints the time in seconds
//
// FILE is a finished recording in file form: the position of its records is at the offsets 40 and 48 of its header
// (struct perf_file_header).
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct record_header {  // perf_event_header
  uint32_t type;
  uint16_t misc;
  uint16_t size;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char** argv) {
  if (argc != 2) return fputs("Usage: walk_headers FILE\n", stderr), 2;
  const double start = now();
  const int fd = open(argv[1], O_RDONLY);
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0) return perror(argv[1]), 1;
  const size_t size = (size_t)status.st_size;
  const unsigned char* bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (bytes == MAP_FAILED) return perror(argv[1]), 1;
  uint64_t data[2];  // offset and size
  memcpy(data, bytes + 40, sizeof data);
  if (data[0] > size || data[1] > size - data[0]) return fputs("is not finished\n", stderr), 1;
  unsigned long samples = 0;
  for (const unsigned char *at = bytes + data[0], *end = at + data[1]; at + sizeof(struct record_header) <= end;) {
    struct record_header header;
    memcpy(&header, at, sizeof header);
    if (header.size < sizeof header) break;
    samples += header.type == 9;
    at += header.size;
  }
  printf("%.4f\n", now() - start);
  fprintf(stderr, "%lu samples\n", samples);  // keeps the compiler from removing the work
  return 0;
}
