/* A program for tests of perfsift check: five functions that take about 30, 25, 20, 15 and 10 % of the time.
 *   gate_program ROUNDS [PERCENT]    PERCENT: how much more work the function `sorting` does */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noipa))
static uint32_t state = 1;
static uint32_t table[4096];

static uint32_t next_number(void) { return state = state * 1664525u + 1013904223u; }

NOINLINE uint32_t hashing(int n) {
  uint32_t h = 2166136261u;
  for (int i = 0; i < n; ++i) h = (h ^ (uint32_t)i) * 16777619u;
  return h;
}
NOINLINE uint32_t dividing(int n) {
  uint32_t sum = 0;
  for (int i = 1; i <= n; ++i) sum += 4000000007u / ((uint32_t)i | 1u);
  return sum;
}
NOINLINE uint32_t looking_up(int n) {
  uint32_t at = state;
  for (int i = 0; i < n; ++i) at = table[(at + (uint32_t)i) & 4095u];
  return at;
}
NOINLINE uint32_t mixing(int n) {
  uint64_t x = state | 1u;
  for (int i = 0; i < n; ++i) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  return (uint32_t)x;
}
NOINLINE uint32_t sorting(int n) {
  uint32_t a[64], moves = 0;
  while (n > 0) {
    for (int i = 0; i < 64; ++i) a[i] = next_number();
    for (int i = 1; i < 64 && n > 0; ++i)
      for (int j = i; j > 0 && a[j - 1] > a[j]; --j, --n, ++moves) {
        const uint32_t t = a[j];
        a[j] = a[j - 1], a[j - 1] = t;
      }
  }
  return moves;
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1000;
  const int percent = argc > 2 ? atoi(argv[2]) : 0;
  uint32_t sum = 0;
  for (int i = 0; i < 4096; ++i) table[i] = next_number();
  for (int round = 0; round < rounds; ++round) {
    sum += hashing(60000);
    sum += dividing(30000);
    sum += looking_up(40000);
    sum += mixing(40000);
    sum += sorting(250 * (100 + percent));
  }
  printf("%u\n", sum);
  return 0;
}
