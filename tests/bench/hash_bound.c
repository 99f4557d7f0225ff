// The bound for our speed: maps the files and hashes every byte once, with one thread.
//
//   hash_bound FILE...     prints the time in seconds
//
// A tool that reads a recording and writes folded stacks must touch all bytes of both at least once. The hash is
// simple: every 8 bytes wait for the multiplication of the previous 8 bytes.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const uint64_t multiplier = 0x9e3779b97f4a7c15;

static uint64_t hash_bytes(const unsigned char* bytes, size_t size) {
  uint64_t hash = size;
  size_t at = 0;
  for (; at + sizeof hash <= size; at += sizeof hash) {
    uint64_t word;
    memcpy(&word, bytes + at, sizeof word);
    hash = (hash ^ word) * multiplier;
  }
  for (; at < size; ++at) hash = (hash ^ bytes[at]) * multiplier;
  return hash;
}

static int hash_file(const char* path, uint64_t* hash) {
  const int fd = open(path, O_RDONLY);
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0) return perror(path), 0;
  const size_t size = (size_t)status.st_size;
  if (size != 0) {
    void* bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED) return perror(path), 0;
    *hash ^= hash_bytes(bytes, size);
    munmap(bytes, size);
  }
  close(fd);
  return 1;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char** argv) {
  if (argc < 2) return fputs("Usage: hash_bound FILE...\n", stderr), 2;
  uint64_t hash = 0;
  const double start = now();
  for (int i = 1; i < argc; ++i) {
    if (!hash_file(argv[i], &hash)) return 1;
  }
  printf("%.4f\n", now() - start);
  fprintf(stderr, "hash %016llx\n", (unsigned long long)hash);  // keeps the compiler from removing the work
  return 0;
}
