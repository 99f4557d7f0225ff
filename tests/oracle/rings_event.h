// What rings_sender.bpf.c sends, and what it counts for each CPU.
#pragma once

enum state { IDLE, WAITING = 7, FAILED = -1 };

struct point {
  short x;
  int y;
};

struct event {
  __u64 number;
  __u32 cpu;
  enum state state;
  char name[16];
  struct point from;
  struct point hops[2];
  unsigned kind : 3;
  int delta : 5;
  unsigned long long wide : 40;
  void* address;
  __u16 sizes[3];
  union {
    __u32 word;
    __u8 bytes[4];
  } any;
  _Bool is_last;
};

struct counts {
  __u64 array_sent, array_failed, buffer_sent, buffer_failed;
};
