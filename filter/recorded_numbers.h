// The numbers that a sample itself has: the part of the catalogue of properties that grows with the kernel.
//
// A number is one row here, its value in facts/recorded_number.cpp, and a line in perfsift-filter(7). It
// then is a field of expressions, a key of `perfsift report --sort`, and a member in the lines of perfsift-jsonl.so.
//
// A row: name, name in perf's record-time filters, key of --sort, type, form, help, why a dlfilter does not have it.
// An empty key: reports have another key for it, or none, and tools/sort/refused_keys.cpp says why.
#pragma once

#define PERFSIFT_RECORDED_NUMBERS(ROW)                                                                               \
  /* PERF_SAMPLE_TID */                                                                                              \
  ROW(pid, "pid", "", id, decimal, "the process", "")                                                                \
  ROW(tid, "tid", "", id, decimal, "the thread", "")                                                                 \
  /* PERF_SAMPLE_CPU */                                                                                              \
  ROW(cpu, "cpu", "", id, decimal, "the CPU", "")                                                                    \
  /* PERF_SAMPLE_TIME: nanoseconds of the event clock */                                                             \
  ROW(time, "time", "", time, decimal, "when, on the recording's clock", "")                                         \
  /* PERF_SAMPLE_ADDR */                                                                                             \
  ROW(addr, "addr", "", address, hexadecimal, "the address of the data that was accessed", "")                       \
  /* PERF_SAMPLE_PERIOD; in a group read what the member has moved by; else attr.sample_period, but not attr.freq */ \
  ROW(period, "period", "", count, decimal, "how many events, or nanoseconds, the sample stands for", "")            \
  /* PERF_SAMPLE_WEIGHT: all of it; WEIGHT_STRUCT: its low 32 bits, then bits 32 to 47, then bits 48 to 63 */        \
  ROW(weight, "weight", "local_weight", count, decimal, "what the access cost, often in cycles", "")                 \
  ROW(ins_lat, "ins_lat", "local_ins_lat", count, decimal, "latency of the instruction", "")                         \
  ROW(p_stage_cyc, "p_stage_cyc", "local_p_stage_cyc", count, decimal, "cycles in a stage of the pipeline", "")      \
  /* PERF_SAMPLE_ID or IDENTIFIER; in a group read the member's */                                                   \
  ROW(id, "id", "", id, decimal, "the id of the event", "")                                                          \
  /* PERF_SAMPLE_STREAM_ID */                                                                                        \
  ROW(stream_id, "", "", id, decimal, "the id of the event's stream", "")                                            \
  /* PERF_SAMPLE_TRANSACTION */                                                                                      \
  ROW(txn, "txn", "transaction", id, transaction, "the kind of a transaction, and why it was aborted", "")           \
  /* PERF_SAMPLE_DATA_SRC: union perf_mem_data_src; the fields that begin with mem. are decoded from it */           \
  ROW(data_src, "", "", id, hexadecimal, "what an access to memory found, all bits as recorded", "")                 \
  /* PERF_SAMPLE_PHYS_ADDR */                                                                                        \
  ROW(phys_addr, "phys_addr", "", address, hexadecimal, "the physical address of the data", "")                      \
  /* PERF_SAMPLE_DATA_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE: bytes; 0: the kernel did not know it */                 \
  ROW(data_page_size, "data_pgsz", "", count, page_size, "size of the page that addr is in", "")                     \
  ROW(code_page_size, "code_pgsz", "code_page_size", count, page_size, "size of the page that ip is in", "")         \
  /* PERF_SAMPLE_CGROUP */                                                                                           \
  ROW(cgroup_id, "", "", id, decimal, "the number of the cgroup", "")                                                \
  /* perf_event_header.misc, all 16 bits */                                                                          \
  ROW(misc, "", "", id, decimal, "the misc bits of the record's header", "")                                         \
  /* PERF_SAMPLE_RAW: as recorded */                                                                                 \
  ROW(raw_size, "", "", count, decimal, "bytes of raw data, with the kernel's padding", "")                          \
  /* PERF_SAMPLE_STACK_USER: what was copied, not what was asked for */                                              \
  ROW(stack_size, "", "stack_size", count, decimal, "bytes of the copied stack (perf record --call-graph dwarf)",    \
      "perf does not show a dlfilter the copied stack")
