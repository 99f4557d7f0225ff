// The kinds of waits, as sets of words: the values of `wait` of an interval.
//
// Several kinds may apply at once: a thread that waits for a mutex waits in a futex, and a page fault may wait for the
// disk.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "filter/field.h"

namespace perfsift::filter {

// More specific kinds come first: see wait_name().
enum WaitKind : std::uint64_t {
  wait_preempted = 1 << 0,  // ready to run, but another thread had the CPU
  wait_yield = 1 << 1,      // the same, and it had given the CPU away: sched_yield()
  wait_new = 1 << 2,        // made, and never run yet
  wait_lock = 1 << 3,       // for a mutex, a read-write lock, a lock of a file, or of the kernel
  wait_page_fault = 1 << 4,
  wait_io = 1 << 5,  // for a disk or a file system
  wait_condition = 1 << 6,
  wait_semaphore = 1 << 7,
  wait_barrier = 1 << 8,
  wait_join = 1 << 9,   // for a thread to end
  wait_park = 1 << 10,  // of a language's runtime: its scheduler has no work for the thread
  wait_futex = 1 << 11,
  wait_sleep = 1 << 12,
  wait_poll = 1 << 13,  // for any of several files: epoll, poll, select, io_uring
  wait_pipe = 1 << 14,
  wait_socket = 1 << 15,
  wait_tty = 1 << 16,
  wait_child = 1 << 17,
  wait_signal = 1 << 18,
  wait_event = 1 << 19,  // eventfd, timerfd, inotify, …
  wait_message = 1 << 20,
  wait_stopped = 1 << 21,  // by a signal, a debugger or the freezer
  wait_exit = 1 << 22,
  wait_completion = 1 << 23,  // for another part of the kernel to be done
  wait_idle = 1 << 24,        // a thread of the kernel that has no work
  wait_other = 1 << 25,
};

// Waits that a thread does not choose: for a CPU, and for other threads or devices.
inline constexpr std::uint64_t involuntary_waits =
    wait_preempted | wait_yield | wait_new | wait_lock | wait_page_fault | wait_io | wait_completion;

std::span<const Word> wait_words();
// The most specific kind of a set, and its word; 0 and an empty word for an empty set.
std::uint64_t main_wait(std::uint64_t kinds);
std::string_view wait_name(std::uint64_t kinds);

}  // namespace perfsift::filter
