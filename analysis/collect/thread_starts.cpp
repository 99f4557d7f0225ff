#include "analysis/collect/thread_starts.h"

#include <algorithm>
#include <iterator>

namespace perfsift::analysis {
namespace {

constexpr std::string_view start_functions[] = {
    // Programs and the loader.
    "_start",
    "__start",
    "_start_c",
    "_dl_start",
    "_dl_start_user",
    // Callers of main(): glibc, bionic, musl.
    "generic_start_main",
    "__libc_init",
    "libc_start_main_stage2",
    // Threads of C: glibc, bionic, musl. musl's function "start" is not listed, because its name is too common. Its
    // caller __clone() is known.
    "start_thread",
    "__start_thread",
    "__pthread_start",
    "start_c11",
    // std::thread of libstdc++.
    "execute_native_thread_routine",
    "execute_native_thread_routine_compat",
    // The workers of OpenMP: libgomp, libomp.
    "gomp_thread_start",
    "__kmp_launch_thread",
    "__kmp_launch_worker",
    "_ZL19__kmp_launch_workerPv",
    // Go: goroutines, and code on the stack of a system thread.
    "runtime.goexit",
    "runtime.mstart",
    "runtime.mstart0",
    "runtime.mstart1",
    "runtime.rt0_go",
    "runtime.mcall",
    // The Java virtual machine: thread_native_entry(Thread*), which was java_start(Thread*), and the launcher.
    "_ZL19thread_native_entryP6Thread",
    "_ZL10java_startP6Thread",
    "JavaMain",
    "ThreadJavaMain",
    // CPython.
    "pythread_wrapper",
    // Node: v8::base::ThreadEntry(void*), and libuv.
    "_ZN2v84baseL11ThreadEntryEPv",
    "uv__thread_start",
};
// The functions in which a thread or a vfork() child starts.
constexpr std::string_view clone_functions[] = {"clone", "clone3", "__clone", "__clone3", "__bionic_clone"};

template <std::size_t Count>
bool is_in(const std::string_view (&names)[Count], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

bool contains(std::string_view name, std::string_view part) { return name.find(part) != std::string_view::npos; }

// Functions whose mangled names contain template parameters, version namespaces, or hashes:
// std::__1::__thread_proxy<…>() of libc++, std::sys::…::Thread::new::thread_start() of Rust, and
// node::PlatformWorkerThread().
bool is_mangled_start(std::string_view name) {
  return contains(name, "14__thread_proxyI") || contains(name, "14__thread_proxyB") ||
         contains(name, "6Thread3new12thread_start") || contains(name, "20PlatformWorkerThread");
}

}  // namespace

bool is_thread_start(std::string_view name, bool return_address) {
  constexpr std::string_view go_assembly = ".abi0";
  name = name.substr(0, name.find('@'));  // __libc_start_main@@GLIBC_2.34
  if (name.ends_with(go_assembly)) name.remove_suffix(go_assembly.size());
  if (name.starts_with("__libc_start_") || name.starts_with("_rt0_")) return true;
  if (is_in(start_functions, name) || (return_address && is_in(clone_functions, name))) return true;
  return (name.starts_with("_Z") || name.starts_with("_R")) && is_mangled_start(name);
}

ThreadBody thread_body(std::string_view name) {
  if (name == "main") return ThreadBody::main_function;
  if (name.starts_with("_ZNSt6thread11_State_impl") && name.ends_with("6_M_runEv")) return ThreadBody::std_thread;
  return contains(name, "._omp_fn.") ? ThreadBody::openmp_region : ThreadBody::none;
}

bool starts_body(ThreadBody body, std::string_view binary_path) {
  const std::string_view file = binary_path.substr(binary_path.rfind('/') + 1);
  switch (body) {
    case ThreadBody::none:
      return false;
    case ThreadBody::main_function:
    case ThreadBody::std_thread:
      return true;
    case ThreadBody::openmp_region:
      return file.starts_with("libgomp.");
  }
  return false;
}

}  // namespace perfsift::analysis
