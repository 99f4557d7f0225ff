/* A program for tests of perfsift check. It has five functions, and `sorting` takes 44 % of the time.
 *   gate_program ROUNDS [PERCENT]    PERCENT: the additional work of the function `sorting` */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noipa))
static uint32_t state = 1;
static uint32_t table[4096];

static uint32_t next_of(uint32_t* from) { return *from = *from * 1664525u + 1013904223u; }
static uint32_t next_number(void) { return next_of(&state); }

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

/* Each round has a different order and different amounts of work. Equal rounds would be in step with the sampling
 * clock, and some functions would have too many samples in one run, and too few in another. */
typedef uint32_t (*work)(int);
static uint32_t plan = 1; /* independent of PERCENT, so the order is the same with more work */
static uint32_t below(uint32_t limit) { return (next_of(&plan) >> 8) % limit; }
static void shuffle(int* order, int count) {
  for (int i = count - 1; i > 0; --i) {
    const int j = (int)below((uint32_t)i + 1), t = order[i];
    order[i] = order[j], order[j] = t;
  }
}
static int about(int n) { return n / 2 + (int)below((uint32_t)n); }

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1000;
  const int percent = argc > 2 ? atoi(argv[2]) : 0;
  const work works[] = {hashing, dividing, looking_up, mixing, sorting};
  const int amounts[] = {60000, 30000, 40000, 40000, 25000};
  int order[] = {0, 1, 2, 3, 4};
  uint32_t sum = 0;
  for (int i = 0; i < 4096; ++i) table[i] = next_number();
  for (int round = 0; round < rounds; ++round) {
    shuffle(order, 5);
    for (int i = 0; i < 5; ++i) {
      const int amount = about(amounts[order[i]]);
      sum += works[order[i]](order[i] == 4 ? amount / 100 * (100 + percent) : amount);
    }
  }
  printf("%u\n", sum);
  return 0;
}
