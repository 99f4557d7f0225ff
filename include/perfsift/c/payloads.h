/** \file
 * What BPF programs send, for C: see perfsift/payloads.h for C++.
 *
 * perfsift/perfsift.h includes this file, and tells what holds for all of the interface.
 */
#ifndef PERFSIFT_C_PAYLOADS_H
#define PERFSIFT_C_PAYLOADS_H

#include <perfsift/c/recording.h>
#include <perfsift/export.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Reads what BPF programs send: see perfsift::PayloadReader. One thread at a time. */
typedef struct perfsift_payload_reader perfsift_payload_reader;
/** Payloads that were taken out of a map. */
typedef struct perfsift_payloads perfsift_payloads;
/** Which map is read, and how: see perfsift::PayloadOptions. */
typedef struct perfsift_payload_options {
  size_t size;       /**< sizeof(perfsift_payload_options) */
  const char* map;   /**< A path in the BPF file system, "id:17", or a name; NULL: `descriptor`. */
  const char* type;  /**< The struct that a payload is; NULL: the only one of the programs that has the size. */
  size_t ring_bytes; /**< Of each ring of a perf event array; 0: 1 MiB. */
  int descriptor;    /**< A map that this process has open, as bpf_map__fd() gives it; -1: `map`. */
  int take_over;     /**< Although another process reads the map. */
  int peek;          /**< Beside another reader of a ring buffer. */
} perfsift_payload_options;
/** A value for a perfsift_payload_options. */
#define PERFSIFT_PAYLOAD_OPTIONS_INIT \
  { sizeof(perfsift_payload_options), NULL, NULL, 0, -1, 0, 0 }
/** Opens the map: see perfsift::PayloadReader. */
PERFSIFT_API perfsift_payload_reader* perfsift_payload_reader_new(const perfsift_payload_options* options,
                                                                  perfsift_error** error);
/** Closes the rings. Payloads that were taken stay. Does nothing for NULL. */
PERFSIFT_API void perfsift_payload_reader_free(perfsift_payload_reader* reader);
/** Returns when there is much to read, or after `milliseconds`. */
PERFSIFT_API int perfsift_payload_reader_wait(perfsift_payload_reader* reader, uint32_t milliseconds,
                                              perfsift_error** error);
/** The payloads since the last call. */
PERFSIFT_API perfsift_payloads* perfsift_payload_reader_take(perfsift_payload_reader* reader, perfsift_error** error);
/** How the type of the payloads was found, and what is left out: a sentence; NULL for an index that is too large. */
PERFSIFT_API const char* perfsift_payload_reader_note(perfsift_payload_reader* reader, size_t index);

/** What one ring has given: see perfsift::PayloadCounts. */
typedef struct perfsift_payload_counts {
  size_t size;          /**< sizeof(perfsift_payload_counts) */
  uint64_t received;    /**< Payloads that were taken. */
  uint64_t lost;        /**< Payloads without room; PERFSIFT_NONE: the kernel does not count them (ring buffers). */
  uint64_t overwritten; /**< Bytes that were overwritten before they were peeked at. */
  uint64_t damaged;     /**< Bytes that are no payloads. */
  uint64_t cut;         /**< Of `received`: those whose end is missing, because they are longer than 64 KiB. */
  int32_t cpu;          /**< The CPU; -1: all CPUs. */
} perfsift_payload_counts;
/** A value for a perfsift_payload_counts. */
#define PERFSIFT_PAYLOAD_COUNTS_INIT \
  { sizeof(perfsift_payload_counts), 0, 0, 0, 0, 0, 0 }
/** The number of rings; 0 for a handle that is not a reader. */
PERFSIFT_API size_t perfsift_payload_reader_rings(perfsift_payload_reader* reader);
/** Fills `counts` with those of the ring of that index. */
PERFSIFT_API int perfsift_payload_reader_counts(perfsift_payload_reader* reader, size_t index,
                                                perfsift_payload_counts* counts, perfsift_error** error);

/** A field of the payloads' type: see perfsift::PayloadField. */
typedef struct perfsift_payload_field {
  size_t size;       /**< sizeof(perfsift_payload_field) */
  const char* name;  /**< An identifier. */
  size_t offset;     /**< In the payload, in bytes. */
  size_t byte_count; /**< In bytes. */
  int form;          /**< perfsift::PayloadForm: 0 number, 1 truth, 2 address, 3 text, 4 numbers, 5 bytes. */
  int is_signed;     /**< Of numbers. */
} perfsift_payload_field;
/** A value for a perfsift_payload_field. */
#define PERFSIFT_PAYLOAD_FIELD_INIT \
  { sizeof(perfsift_payload_field), NULL, 0, 0, 0, 0 }
/** The number of fields: 0 without a type, and before the first payload if no type was named. */
PERFSIFT_API size_t perfsift_payload_reader_fields(perfsift_payload_reader* reader);
/** Fills `field` with the field of that index. Texts live as long as the reader. */
PERFSIFT_API int perfsift_payload_reader_field(perfsift_payload_reader* reader, size_t index,
                                               perfsift_payload_field* field, perfsift_error** error);

/** Frees payloads. Does nothing for NULL. */
PERFSIFT_API void perfsift_payloads_free(perfsift_payloads* payloads);
/** The number of payloads; 0 for a handle that is not of payloads. */
PERFSIFT_API size_t perfsift_payloads_count(perfsift_payloads* payloads);
/** A payload: see perfsift::Payload. */
typedef struct perfsift_payload {
  size_t size;       /**< sizeof(perfsift_payload) */
  uint64_t time;     /**< Nanoseconds of CLOCK_MONOTONIC: sent; of a ring buffer: read. */
  const void* bytes; /**< The payload, which lives as long as the payloads. */
  size_t byte_count; /**< Its size. */
  int32_t pid;       /**< The process; -1: not recorded. */
  int32_t tid;       /**< The thread; -1: not recorded. */
  int32_t cpu;       /**< -1: not recorded. */
} perfsift_payload;
/** A value for a perfsift_payload. */
#define PERFSIFT_PAYLOAD_INIT \
  { sizeof(perfsift_payload), 0, NULL, 0, 0, 0, 0 }
/** Fills `payload` with the payload of that index. */
PERFSIFT_API int perfsift_payloads_get(perfsift_payloads* payloads, size_t index, perfsift_payload* payload,
                                       perfsift_error** error);
/** Sets `number` to a field of a payload: a number, a truth, an address. Another field is PERFSIFT_ERROR_USAGE. */
PERFSIFT_API int perfsift_payloads_number(perfsift_payloads* payloads, size_t index, const char* name, uint64_t* number,
                                          perfsift_error** error);
/** Sets `text` and `length` to a field that is a text, without a NUL behind it. Another field is PERFSIFT_ERROR_USAGE.
 */
PERFSIFT_API int perfsift_payloads_text(perfsift_payloads* payloads, size_t index, const char* name, const char** text,
                                        size_t* length, perfsift_error** error);

#ifdef __cplusplus
}
#endif

#endif
