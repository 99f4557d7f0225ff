#include "record/waits/embedded_programs.h"

// Made by cmake/write_embedded_bytes.cmake.
extern const unsigned char* const perfsift_waits;
extern const unsigned long perfsift_waits_size;
extern const unsigned char* const perfsift_waits_raw;
extern const unsigned long perfsift_waits_raw_size;

namespace perfsift::record {

Bytes embedded_wait_programs() { return std::as_bytes(std::span(perfsift_waits, perfsift_waits_size)); }
Bytes embedded_wait_programs_of_raw_tracepoints() {
  return std::as_bytes(std::span(perfsift_waits_raw, perfsift_waits_raw_size));
}

}  // namespace perfsift::record
