// The functions in which threads and processes start, by their names in symbol tables.
#pragma once

#include <cstdint>
#include <string_view>

namespace perfsift::analysis {

// Whether threads start in the function: "start_thread", "execute_native_thread_routine", "runtime.goexit". The parent
// of a new thread or vfork() child is in clone(), too. So clone() is a start only if it called another function:
// `return_address`.
bool is_thread_start(std::string_view name, bool return_address);

// Functions that are called only by the start of a thread. They matter where the start itself has no name, because its
// library is stripped.
enum class ThreadBody : std::uint8_t {
  none,
  main_function,
  std_thread,    // std::thread::_State_impl<…>::_M_run(), called by libstdc++'s execute_native_thread_routine()
  openmp_region  // name._omp_fn.0, called by libgomp's gomp_thread_start(), or by GOMP_parallel(), which has a name
};
ThreadBody thread_body(std::string_view name);

// Whether a caller without a name, in this binary, is the start of the thread that runs `body`.
bool starts_body(ThreadBody body, std::string_view binary_path);

}  // namespace perfsift::analysis
