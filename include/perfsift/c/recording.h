/** \file
 * Recordings for C: what they say of themselves, their samples, stacks, names, sums and time off the CPU.
 *
 * perfsift/perfsift.h includes this file, and tells what holds for all of the interface.
 */
#ifndef PERFSIFT_C_RECORDING_H
#define PERFSIFT_C_RECORDING_H

#include <perfsift/export.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Codes of errors: see perfsift::ErrorCode. */
enum {
  PERFSIFT_OK = 0,               /**< No error. */
  PERFSIFT_ERROR_USAGE = 1,      /**< An argument is wrong. */
  PERFSIFT_ERROR_INPUT = 2,      /**< The input cannot be read, or is not a recording. */
  PERFSIFT_ERROR_FILTER = 3,     /**< The text of a filter is wrong. */
  PERFSIFT_ERROR_OUTPUT = 4,     /**< A file cannot be written. */
  PERFSIFT_ERROR_MEMORY = 5,     /**< Memory ran out. */
  PERFSIFT_ERROR_BUSY = 6,       /**< The recording is being visited already. */
  PERFSIFT_ERROR_INTERNAL = 7,   /**< A mistake in perfsift. */
  PERFSIFT_ERROR_UNAVAILABLE = 8 /**< The machine, the kernel or missing privileges refuse to sample. */
};

/** A value of 64 bits that was not recorded. */
#define PERFSIFT_NONE UINT64_MAX
/** A number of 32 bits that stands for nothing: the stack of a sample without a frame. */
#define PERFSIFT_NO_STACK UINT32_MAX

typedef struct perfsift_error perfsift_error;           /**< What is wrong. */
typedef struct perfsift_recording perfsift_recording;   /**< An open recording. */
typedef struct perfsift_symbolizer perfsift_symbolizer; /**< Who names addresses. */
typedef struct perfsift_columns perfsift_columns;       /**< Samples as arrays. */
typedef struct perfsift_profile perfsift_profile;       /**< Sums by stack and by function. */

/** The version of the library, "1.0.0". Lives for the whole run. */
PERFSIFT_API const char* perfsift_version(void);

/** The code of an error: PERFSIFT_ERROR_…; PERFSIFT_OK for NULL. */
PERFSIFT_API int perfsift_error_code(const perfsift_error* error);
/** The message: what is wrong, and what to do; "" for NULL. */
PERFSIFT_API const char* perfsift_error_message(const perfsift_error* error);
/** The file that the error is about; "": none. */
PERFSIFT_API const char* perfsift_error_file(const perfsift_error* error);
/** PERFSIFT_ERROR_FILTER: the line in the filter, from 1; otherwise 0. */
PERFSIFT_API size_t perfsift_error_line(const perfsift_error* error);
/** PERFSIFT_ERROR_FILTER: the column in the line, in characters, from 1; otherwise 0. */
PERFSIFT_API size_t perfsift_error_column(const perfsift_error* error);
/** Frees an error. Does nothing for NULL. */
PERFSIFT_API void perfsift_error_free(perfsift_error* error);

/** Opens a recording: see perfsift::Recording. */
PERFSIFT_API perfsift_recording* perfsift_recording_open(const char* path, perfsift_error** error);
/** Closes a recording. Does nothing for NULL, and for a handle that was closed before. */
PERFSIFT_API void perfsift_recording_close(perfsift_recording* recording);

/** Where a recording comes from. Texts live as long as the recording. */
typedef struct perfsift_info {
  size_t size;               /**< sizeof(perfsift_info) */
  const char* hostname;      /**< ""; not recorded, as in the other texts. */
  const char* kernel;        /**< The release. */
  const char* architecture;  /**< As `uname -m` prints it. */
  const char* cpu;           /**< The model of the processor. */
  const char* perf_version;  /**< Of the perf that recorded. */
  const char* command;       /**< The command line of perf record, joined by blanks. */
  uint32_t cpus_online;      /**< 0: not recorded. */
  int has_wall_clock;        /**< Whether wall_clock_offset was recorded. */
  int64_t wall_clock_offset; /**< Nanoseconds since 1970 at time 0. */
  uint64_t records;          /**< Records of all types. */
  uint64_t samples;          /**< SAMPLE records. */
  uint64_t lost_records;     /**< Records of all types that were lost. */
  uint64_t lost_samples;     /**< Samples that were lost. Since perf 6.1, lost records are among them: do not add. */
  uint64_t malformed;        /**< Records that could not be decoded. */
  uint64_t first_time;       /**< Of the first sample; PERFSIFT_NONE: not recorded. */
  uint64_t last_time;        /**< Of the last sample; PERFSIFT_NONE: not recorded. */
  size_t damage;             /**< Parts of the input that could not be read: see perfsift_recording_damage(). */
} perfsift_info;
/** A value for a perfsift_info. */
#define PERFSIFT_INFO_INIT \
  { sizeof(perfsift_info), NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
/** Fills `info`, as far as its size says. */
PERFSIFT_API int perfsift_recording_info(perfsift_recording* recording, perfsift_info* info, perfsift_error** error);
/** A damaged part in words; NULL for an index that is too large. */
PERFSIFT_API const char* perfsift_recording_damage(perfsift_recording* recording, size_t index);

/** An event. */
typedef struct perfsift_event {
  size_t size;          /**< sizeof(perfsift_event) */
  const char* name;     /**< As perf shows it: "cycles:u". */
  uint32_t type;        /**< perf_event_attr.type */
  uint64_t config;      /**< perf_event_attr.config */
  uint64_t period;      /**< Occurrences per sample; 0: a frequency was asked for. */
  uint64_t frequency;   /**< Samples per second; 0: a period was asked for. */
  uint64_t sample_type; /**< PERF_SAMPLE_* */
} perfsift_event;
/** A value for a perfsift_event. */
#define PERFSIFT_EVENT_INIT \
  { sizeof(perfsift_event), NULL, 0, 0, 0, 0, 0 }
/** The number of events; 0 for a handle that is not a recording. */
PERFSIFT_API size_t perfsift_recording_events(perfsift_recording* recording);
/** Fills `event` with the event of that index. */
PERFSIFT_API int perfsift_recording_event(perfsift_recording* recording, size_t index, perfsift_event* event,
                                          perfsift_error** error);

/** Where names come from: see perfsift::SymbolizerOptions. NULL stands for the default. */
typedef struct perfsift_symbolizer_options {
  size_t size;              /**< sizeof(perfsift_symbolizer_options) */
  const char* symfs;        /**< A folder with the files that the recording names. */
  const char* debug_dir;    /**< A folder with separate debug files. */
  const char* build_id_dir; /**< perf's cache of binaries. */
  const char* vmlinux;      /**< An ELF kernel. */
  const char* kallsyms;     /**< A saved /proc/kallsyms. */
  const char* cache_dir;    /**< A folder for tables that are kept for the next run. */
  int any_owner;            /**< Believe jitdumps and perf maps of other users, and files that
                                 may not be the recorded ones. */
} perfsift_symbolizer_options;
/** A value for a perfsift_symbolizer_options. */
#define PERFSIFT_SYMBOLIZER_OPTIONS_INIT \
  { sizeof(perfsift_symbolizer_options), NULL, NULL, NULL, NULL, NULL, NULL, 0 }
/** Makes a symbolizer. `options` NULL: the defaults. */
PERFSIFT_API perfsift_symbolizer* perfsift_symbolizer_new(const perfsift_symbolizer_options* options,
                                                          perfsift_error** error);
/** Frees a symbolizer. Recordings that use it keep what they need. */
PERFSIFT_API void perfsift_symbolizer_free(perfsift_symbolizer* symbolizer);

/** How C++, Rust, D and OCaml names are written: see perfsift::Demangling. */
enum { PERFSIFT_DEMANGLE_PLAIN = 0, PERFSIFT_DEMANGLE_FULL = 1, PERFSIFT_DEMANGLE_RAW = 2 };
/** The kind of code of a frame: see perfsift::FrameKind. */
enum { PERFSIFT_FRAME_USER = 0, PERFSIFT_FRAME_KERNEL = 1, PERFSIFT_FRAME_JIT = 2, PERFSIFT_FRAME_OTHER = 3 };
/** How finely columns distinguish frames: see perfsift::FrameDetail. */
enum { PERFSIFT_DETAIL_FUNCTION = 0, PERFSIFT_DETAIL_LINE = 1, PERFSIFT_DETAIL_ADDRESS = 2 };

/** A frame of a stack: see perfsift::Frame. */
typedef struct perfsift_frame {
  const char* function; /**< The name; without a name that of the binary in brackets. */
  const char* binary;   /**< The path of the binary; "": nothing was mapped there. */
  const char* file;     /**< The source file; "": not known. */
  uint32_t line;        /**< 0: not known. */
  uint64_t address;     /**< The offset in the binary. */
  int kind;             /**< PERFSIFT_FRAME_… */
  int inlined;          /**< The call was inlined into the next outer frame. */
  int named;            /**< Whether `function` is a name. */
} perfsift_frame;

/** Gets the frames of an address, innermost first, which live until the function returns. */
typedef void (*perfsift_frame_function)(void* data, const perfsift_frame* frame);
/** Calls `visit` for the functions at an address of an ELF file: see perfsift::Symbolizer::frames(). */
PERFSIFT_API int perfsift_symbolizer_frames(perfsift_symbolizer* symbolizer, const char* elf_file, uint64_t address,
                                            perfsift_frame_function visit, void* data, perfsift_error** error);

/** Which samples are visited, and how they are named. */
typedef struct perfsift_sample_options {
  size_t size;                     /**< sizeof(perfsift_sample_options) */
  const char* filter;              /**< perfsift-filter(7); NULL: all samples. */
  perfsift_symbolizer* symbolizer; /**< NULL: the recording's own. */
  int demangling;                  /**< PERFSIFT_DEMANGLE_… */
  int no_inlines;                  /**< No frames for inlined calls. */
  size_t max_frames;               /**< Of stacks that are unwound; 0: 127. */
  int no_stacks;                   /**< Samples have no frames; no address is named. */
  int detail;                      /**< Columns: PERFSIFT_DETAIL_… */
  unsigned threads;                /**< Columns, profiles: 0: one for each CPU. */
} perfsift_sample_options;
/** A value for a perfsift_sample_options. */
#define PERFSIFT_SAMPLE_OPTIONS_INIT \
  { sizeof(perfsift_sample_options), NULL, NULL, 0, 0, 0, 0, 0, 0 }

/** A sample: see perfsift::Sample. Fields that were not recorded are PERFSIFT_NONE or -1. */
typedef struct perfsift_sample {
  size_t size;                  /**< sizeof(perfsift_sample) as the library knows it. */
  uint32_t event;               /**< Index of the event. */
  int32_t pid;                  /**< The process. */
  int32_t tid;                  /**< The thread. */
  int32_t cpu;                  /**< The CPU. */
  uint64_t time;                /**< Nanoseconds. */
  uint64_t ip;                  /**< The instruction. */
  uint64_t addr;                /**< PERF_SAMPLE_ADDR */
  uint64_t weight;              /**< What the sample counts: the period; without one 1. */
  uint64_t latency;             /**< PERF_SAMPLE_WEIGHT */
  const char* comm;             /**< The name of the thread. */
  const perfsift_frame* frames; /**< The stack, leaf first. */
  size_t frame_count;           /**< Frames of the stack. */
} perfsift_sample;
/** Gets a sample, which lives until the function returns. Any result but 0 ends the visit without an error. */
typedef int (*perfsift_sample_function)(void* data, const perfsift_sample* sample);
/** Calls `visit` for each sample in the order of their times. `options` NULL: the defaults. */
PERFSIFT_API int perfsift_recording_samples(perfsift_recording* recording, const perfsift_sample_options* options,
                                            perfsift_sample_function visit, void* data, perfsift_error** error);

/** A mapping that a process made: PERF_RECORD_MMAP and PERF_RECORD_MMAP2. */
typedef struct perfsift_mmap {
  size_t size;          /**< sizeof(perfsift_mmap) as the library knows it. */
  int32_t pid;          /**< The process; -1: the kernel. */
  int32_t tid;          /**< The thread. */
  uint64_t time;        /**< Nanoseconds; PERFSIFT_NONE: not recorded. */
  uint64_t start;       /**< The first address. */
  uint64_t length;      /**< Bytes. */
  uint64_t page_offset; /**< Of the first address in the file. */
  uint32_t protection;  /**< PROT_* */
  uint32_t flags;       /**< MAP_* */
  const char* path;     /**< As recorded. */
  const char* build_id; /**< Hexadecimal; "": not recorded. */
} perfsift_mmap;
/** Gets a mapping, which lives until the function returns. Any result but 0 ends the visit without an error. */
typedef int (*perfsift_mmap_function)(void* data, const perfsift_mmap* map);
/** Calls `visit` for each mapping that was recorded, in the order of the file. */
PERFSIFT_API int perfsift_recording_mmaps(perfsift_recording* recording, perfsift_mmap_function visit, void* data,
                                          perfsift_error** error);

/** Samples as arrays, by time: see perfsift::Columns. `options` NULL: the defaults. */
PERFSIFT_API perfsift_columns* perfsift_columns_new(perfsift_recording* recording,
                                                    const perfsift_sample_options* options, perfsift_error** error);
/** Frees columns and all arrays. */
PERFSIFT_API void perfsift_columns_free(perfsift_columns* columns);

/** The type of the values of an array. */
enum { PERFSIFT_UINT8 = 1, PERFSIFT_INT32 = 2, PERFSIFT_UINT32 = 3, PERFSIFT_UINT64 = 4 };
/** An array. Lives as long as the columns. */
typedef struct perfsift_array {
  const void* data; /**< The first value; not NULL, also without values. */
  size_t count;     /**< Values. */
  int type;         /**< PERFSIFT_UINT8, … */
} perfsift_array;
/**
 * The array of that name. Samples have time, weight, period, ip, addr, latency, pid, tid, cpu, event, comm, stack,
 * mode. stacks stack_starts, stack_frames; frames frame_function, frame_binary, frame_file, frame_line, frame_address,
 * frame_kind, frame_inlined, frame_named; names name_starts, name_bytes. See perfsift::Columns.
 */
PERFSIFT_API int perfsift_columns_array(perfsift_columns* columns, const char* name, perfsift_array* array,
                                        perfsift_error** error);

/** The samples that become a profile, and how: see perfsift::ProfileOptions. */
typedef struct perfsift_profile_options {
  size_t size;                            /**< sizeof(perfsift_profile_options) */
  const perfsift_sample_options* samples; /**< Filter, symbolizer, names, threads; NULL: the defaults. */
  const char* event;                      /**< Name of an event, or a glob; NULL: all events. */
  int count_samples;                      /**< Samples count 1, not their period. */
  int no_comm;                            /**< No frame for the thread's name. */
  int with_pid;                           /**< comm-PID */
  int with_tid;                           /**< comm-PID/TID */
  int kernel_only;                        /**< Only the kernel's part of stacks. */
  int user_only;                          /**< Only the user's part of stacks. */
  int annotate;                           /**< Marks behind names. */
} perfsift_profile_options;
/** A value for a perfsift_profile_options. */
#define PERFSIFT_PROFILE_OPTIONS_INIT \
  { sizeof(perfsift_profile_options), NULL, NULL, 0, 0, 0, 0, 0, 0, 0 }
/** Adds up the samples. `options` NULL: the defaults, which are those of `perfsift fold`. */
PERFSIFT_API perfsift_profile* perfsift_profile_new(perfsift_recording* recording,
                                                    const perfsift_profile_options* options, perfsift_error** error);
/** Frees a profile. */
PERFSIFT_API void perfsift_profile_free(perfsift_profile* profile);
/** Folded stacks, as `perfsift fold` writes them; NULL if it fails. */
PERFSIFT_API const char* perfsift_profile_folded(perfsift_profile* profile, perfsift_error** error);

/** A function and the samples of its stacks. */
typedef struct perfsift_function {
  const char* event;      /**< The event. */
  const char* function;   /**< The name. */
  uint64_t self_samples;  /**< Samples in the function itself. */
  uint64_t self_value;    /**< What they count. */
  uint64_t total_samples; /**< Samples with the function anywhere in their stacks. */
  uint64_t total_value;   /**< What they count. */
} perfsift_function;
/** The functions, by event and what they count themselves, largest first. `count` gets their number. NULL if it fails.
 */
PERFSIFT_API const perfsift_function* perfsift_profile_functions(perfsift_profile* profile, size_t* count,
                                                                 perfsift_error** error);

/** Time off the CPU: see perfsift::OffCpu. */
typedef struct perfsift_offcpu perfsift_offcpu;
/** Which intervals are kept, and how stacks are named. */
typedef struct perfsift_offcpu_options {
  size_t size;                     /**< sizeof(perfsift_offcpu_options) */
  const char* filter;              /**< perfsift-filter(7), about intervals; NULL: all. */
  perfsift_symbolizer* symbolizer; /**< NULL: the recording's own. */
  int no_inlines;                  /**< No frames for inlined calls. */
} perfsift_offcpu_options;
/** A value for a perfsift_offcpu_options. */
#define PERFSIFT_OFFCPU_OPTIONS_INIT \
  { sizeof(perfsift_offcpu_options), NULL, NULL, 0 }
/** Reads the intervals of all threads. `options` NULL: the defaults. */
PERFSIFT_API perfsift_offcpu* perfsift_offcpu_new(perfsift_recording* recording, const perfsift_offcpu_options* options,
                                                  perfsift_error** error);
/** Frees the intervals and all arrays. */
PERFSIFT_API void perfsift_offcpu_free(perfsift_offcpu* offcpu);
/** Folded stacks in microseconds, as `perfsift offcpu --output` writes them; NULL if it fails. */
PERFSIFT_API const char* perfsift_offcpu_folded(perfsift_offcpu* offcpu, perfsift_error** error);
/**
 * The array of that name. Intervals, in the order of their ends, have start, end, blocked, run_queue, unknown, pid,
 * tid, cpu_left, cpu_entered, waker_tid, complete, state, comm, wait (the last two are numbers of names); names
 * name_starts, name_bytes. See perfsift::OffCpuInterval. Lives as long as the perfsift_offcpu.
 */
PERFSIFT_API int perfsift_offcpu_array(perfsift_offcpu* offcpu, const char* name, perfsift_array* array,
                                       perfsift_error** error);

#ifdef __cplusplus
}
#endif

#endif
