/** \file
 * Samples of the running program for C: see perfsift/sampling.h for C++.
 *
 * perfsift/perfsift.h includes this file, and tells what holds for all of the interface.
 */
#ifndef PERFSIFT_C_SAMPLING_H
#define PERFSIFT_C_SAMPLING_H

#include <perfsift/c/recording.h>
#include <perfsift/export.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Samples threads of this process: see perfsift::Sampler. */
typedef struct perfsift_sampler perfsift_sampler;
/** Samples that were taken out of the rings of a sampler, by time. */
typedef struct perfsift_live_samples perfsift_live_samples;
/** What is sampled, and whom: see perfsift::SamplingOptions. 0 and NULL stand for the defaults. */
typedef struct perfsift_sampling_options {
  size_t size;            /**< sizeof(perfsift_sampling_options) */
  const char* event;      /**< As perf record -e takes events: "page-faults"; NULL: `preset`. */
  const char* preset;     /**< "cpu", "mem", "faults", …; NULL: `event`, without one "cpu". */
  uint64_t period;        /**< Occurrences of the event per sample. */
  uint64_t frequency;     /**< Samples per second of each thread. */
  size_t ring_bytes;      /**< Of each ring; 0: 1 MiB. */
  int32_t tid;            /**< A thread of this process; 0: the thread that makes the sampler. */
  int process;            /**< All threads of this process, also those that start later. */
  int callchains;         /**< Samples have callchains, by frame pointers. */
  int user_only;          /**< Without the kernel. */
  int physical_addresses; /**< Of data; needs CAP_PERFMON. */
} perfsift_sampling_options;
/** A value for a perfsift_sampling_options. */
#define PERFSIFT_SAMPLING_OPTIONS_INIT \
  { sizeof(perfsift_sampling_options), NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0 }
/** Opens the events and maps the rings, stopped. `options` NULL: the defaults. At most 1,024 samplers exist at once. */
PERFSIFT_API perfsift_sampler* perfsift_sampler_new(const perfsift_sampling_options* options, perfsift_error** error);
/** Stops and frees a sampler. Samples that were taken stay. Does nothing for NULL. Not for signal handlers. */
PERFSIFT_API void perfsift_sampler_free(perfsift_sampler* sampler);
/**
 * Begins to sample. Async-signal-safe, without memory from the heap and without a lock. PERFSIFT_ERROR_USAGE: not a
 * handle of a sampler; PERFSIFT_ERROR_UNAVAILABLE: the kernel refused, or this process is a child of fork().
 */
PERFSIFT_API int perfsift_sampler_start(perfsift_sampler* sampler);
/** Ends sampling, with the promises and the errors of perfsift_sampler_start(). */
PERFSIFT_API int perfsift_sampler_stop(perfsift_sampler* sampler);
/** Whether this process is a child of fork(), in which the sampler does nothing; 0 for anything but a sampler. */
PERFSIFT_API int perfsift_sampler_is_inert(perfsift_sampler* sampler);
/** Sets `lost` to the number of samples that were lost so far. */
PERFSIFT_API int perfsift_sampler_lost(perfsift_sampler* sampler, uint64_t* lost, perfsift_error** error);
/** The number of events; 0 for a handle that is not a sampler. */
PERFSIFT_API size_t perfsift_sampler_events(perfsift_sampler* sampler);
/** Fills `event` with the event of that index, as it was opened. Texts live as long as the sampler. */
PERFSIFT_API int perfsift_sampler_event(perfsift_sampler* sampler, size_t index, perfsift_event* event,
                                        perfsift_error** error);
/** What the preset chose, and why; "" without a preset, and for a handle that is not a sampler. */
PERFSIFT_API const char* perfsift_sampler_choice(perfsift_sampler* sampler);
/** What was asked for but is left out: a sentence; NULL for an index that is too large. */
PERFSIFT_API const char* perfsift_sampler_left_out(perfsift_sampler* sampler, size_t index);
/** The samples since the last call, also while the sampler runs. Not for signal handlers. */
PERFSIFT_API perfsift_live_samples* perfsift_sampler_take(perfsift_sampler* sampler, perfsift_error** error);
/** Frees samples and all arrays. Does nothing for NULL. */
PERFSIFT_API void perfsift_live_samples_free(perfsift_live_samples* samples);
/** The number of samples; 0 for a handle that is not of samples. */
PERFSIFT_API size_t perfsift_live_samples_count(perfsift_live_samples* samples);

/** A sample of a running program: see perfsift::LiveSample. Numbers that the event does not have are 0. */
typedef struct perfsift_live_sample {
  size_t size;               /**< sizeof(perfsift_live_sample) */
  uint64_t time;             /**< Nanoseconds of CLOCK_MONOTONIC. */
  uint64_t period;           /**< Occurrences of the event. */
  uint64_t ip;               /**< The instruction. */
  uint64_t address;          /**< Of the data. */
  uint64_t physical_address; /**< Of the data. */
  uint64_t data_source;      /**< union perf_mem_data_src */
  uint64_t latency;          /**< Usually cycles. */
  int32_t pid;               /**< The process. */
  int32_t tid;               /**< The thread. */
  int32_t cpu;               /**< The CPU. */
  uint32_t event;            /**< Index of the event. */
  int mode;                  /**< perfsift::CpuMode of `ip`: 1 kernel, 2 user. */
  int operation;             /**< perfsift::MemoryOperation: 1 load, 2 store. */
  int level;                 /**< perfsift::MemoryLevel: 1 L1, 2 L2, 3 L3, 9 RAM, … */
  int snoop;                 /**< perfsift::MemorySnoop: 4 another cache had modified the line. */
  int tlb_missed;            /**< The TLBs did not have the translation. */
  const uint64_t* callchain; /**< Leaf first, with PERF_CONTEXT_* markers. */
  size_t callchain_count;    /**< Words of the callchain. */
} perfsift_live_sample;
/** A value for a perfsift_live_sample. */
#define PERFSIFT_LIVE_SAMPLE_INIT \
  { sizeof(perfsift_live_sample), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, 0 }
/** Fills `sample` with the sample of that index. The callchain lives as long as the samples. */
PERFSIFT_API int perfsift_live_samples_get(perfsift_live_samples* samples, size_t index, perfsift_live_sample* sample,
                                           perfsift_error** error);
/**
 * The array of that name: time, period, ip, address, physical_address, data_source, latency, pid, tid, cpu, event,
 * mode, operation, level, snoop, tlb_missed; stacks without markers, leaf first: stack_starts (one more than samples),
 * stack_address, stack_mode, stack_return (1: a return address). Lives as long as the samples.
 */
PERFSIFT_API int perfsift_live_samples_array(perfsift_live_samples* samples, const char* name, perfsift_array* array,
                                             perfsift_error** error);
/**
 * Calls `visit` for the functions at an address of this process, innermost first, at least once: see
 * perfsift::frames_of_this_process(). `mode`: as in a sample, 0 unknown; `return_address`: the call is before it.
 */
PERFSIFT_API int perfsift_symbolizer_own_frames(perfsift_symbolizer* symbolizer, uint64_t address, int mode,
                                                int return_address, perfsift_frame_function visit, void* data,
                                                perfsift_error** error);

#ifdef __cplusplus
}
#endif

#endif
