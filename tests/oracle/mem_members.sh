#!/bin/bash
# perfsift mem --sort member and perfsift c2c on recordings of breakpoints, against the recorded program's own counts:
# how often which thread updated which member.
#
#   mem_members.sh PERFSIFT WORKLOAD
#
# Exit status: 0 equal, 1 different, 77 when breakpoints cannot be recorded here, or no compiler is here.
set -u
perfsift=$(realpath -e "$1") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

cat >members.c <<'END'
#include <pthread.h>
#include <stdio.h>
struct Book { long bid, ask; };
static struct Order { int id; struct Book book; long word; } orders[4] __attribute__((aligned(64)));
static void* bids(void* unused) {
  for (int i = 0; i < 700; ++i) __atomic_fetch_add(&orders[2].book.bid, 1, __ATOMIC_RELAXED);
  return unused;
}
static void* asks(void* unused) {
  for (int i = 0; i < 500; ++i) __atomic_fetch_add(&orders[2].book.ask, 1, __ATOMIC_RELAXED);
  return unused;
}
int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, bids, NULL);
  pthread_create(&other, NULL, asks, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  printf("orders[2].book.ask,%ld\norders[2].book.bid,%ld\n", orders[2].book.ask, orders[2].book.bid);
  fprintf(stderr, "%p %p\n", (void*)&orders[2].book.bid, (void*)&orders[2].book.ask);
  return 0;
}
END

compare() { # COMPILER FLAGS…
  command -v "$1" >/dev/null || { echo "not compared: no $1"; return; }
  local first second
  "$@" -g -no-pie -pthread members.c -o members 2>errors || { echo "DIFFERENT: $* failed"; cat errors; failures=$((failures + 1)); return; }
  read -r first second < <(./members 2>&1 >/dev/null)
  record members.data -c 1 -d -e "mem:$first:w:u" -e "mem:$second:w:u" -- ./members ||
    skip "breakpoints cannot be recorded: $(perfs_reason)"
  perf report --stats -i members.data 2>/dev/null | grep -q 'SAMPLE events' || skip "breakpoints never fire here"
  ./members 2>/dev/null >expected
  "$perfsift" mem -q --csv --sort member members.data | tr -d '\r' | awk -F, 'NR > 1 { print $NF "," $4 }' | sort >actual
  expect_equal "$*: members"

  printf '%s:%s\n' "$PWD/members.c" 4 >expected
  "$perfsift" mem -q --csv --sort declaration members.data | tr -d '\r' | awk -F, 'NR > 1 { print $NF }' >actual
  expect_equal "$*: declaration"

  printf '    %s\n' 'orders[2].book.bid (used by T:members)' 'orders[2].book.ask (used by T:members)' >expected
  "$perfsift" c2c -q members.data | grep 'used by [0-9]' | sed -E 's/[0-9]+:members/T:members/' >actual
  expect_equal "$*: advice"
}

for compiler in gcc clang; do
  compare "$compiler" -O1
  compare "$compiler" -O0 -gdwarf-4 -gsplit-dwarf
done
conclude
