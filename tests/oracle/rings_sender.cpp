// Loads rings_sender.bpf.o, prints the ids of its maps, and sends when it is told to:
//
//   rings_sender OBJECT
//
//   send N       each CPU makes N system calls; prints "CPU array_sent array_failed buffer_sent buffer_failed" for each
//                CPU, of all events so far, and "done"
//   long N       the same, but sends long payloads into the ring buffer, which the counts leave out
//   end of input unloads the program
//
// Exit status: 77 where BPF programs cannot be loaded.
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

struct Counts {
  std::uint64_t array_sent, array_failed, buffer_sent, buffer_failed;
};

int no_message(libbpf_print_level, const char*, va_list) { return 0; }

[[noreturn]] void give_up(const char* what) {
  std::cerr << "BPF programs cannot be loaded here: " << what << ": " << std::strerror(errno) << '\n';
  std::exit(77);
}

struct Close {
  void operator()(bpf_object* object) const { bpf_object__close(object); }
};

std::uint32_t id_of(const bpf_map* map) {
  bpf_map_info info{};
  std::uint32_t size = sizeof info;
  return bpf_obj_get_info_by_fd(bpf_map__fd(map), &info, &size) == 0 ? info.id : 0;
}

bpf_object* loaded(const char* path) {
  bpf_object* const object = bpf_object__open_file(path, nullptr);
  if (object == nullptr) give_up(path);
  // The first variable of the section is the process.
  bpf_map* const constants = bpf_object__find_map_by_name(object, ".rodata");
  std::size_t size = 0;
  if (constants == nullptr) give_up("no constants");
  std::vector<char> bytes(bpf_map__value_size(constants));
  const void* const initial = bpf_map__initial_value(constants, &size);
  if (initial != nullptr) std::memcpy(bytes.data(), initial, std::min(size, bytes.size()));
  const auto process = static_cast<std::uint32_t>(getpid());
  std::memcpy(bytes.data(), &process, sizeof process);
  bpf_map__set_initial_value(constants, bytes.data(), bytes.size());
  if (bpf_object__load(object) != 0) give_up("load");
  return object;
}

void call_system(int cpu, std::uint64_t times) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(cpu, &only);
  sched_setaffinity(0, sizeof only, &only);
  for (std::uint64_t i = 0; i < times; ++i) syscall(SYS_getppid);
}

void send(std::uint64_t times, int cpus) {
  std::vector<std::thread> threads;
  for (int cpu = 0; cpu < cpus; ++cpu) threads.emplace_back(call_system, cpu, times);
  for (std::thread& thread : threads) thread.join();
}

void print_counts(int map, int cpus) {
  std::vector<Counts> counts(static_cast<std::size_t>(cpus));
  const std::uint32_t first = 0;
  bpf_map_lookup_elem(map, &first, counts.data());
  for (int cpu = 0; cpu < cpus; ++cpu) {
    const Counts& some = counts[static_cast<std::size_t>(cpu)];
    std::printf("%d %lu %lu %lu %lu\n", cpu, some.array_sent, some.array_failed, some.buffer_sent, some.buffer_failed);
  }
  std::puts("done");
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  libbpf_set_print(no_message);
  const std::unique_ptr<bpf_object, Close> object(loaded(words[1]));
  const int counts = bpf_map__fd(bpf_object__find_map_by_name(object.get(), "rings_counts"));
  std::printf("%u %u\n", id_of(bpf_object__find_map_by_name(object.get(), "rings_array")),
              id_of(bpf_object__find_map_by_name(object.get(), "rings_buffer")));
  std::fflush(stdout);
  const int cpus = libbpf_num_possible_cpus();
  // The program is attached only while it sends, so that no other system call counts.
  for (std::string word; std::cin >> word && (word == "send" || word == "long");) {
    std::uint64_t times = 0;
    std::cin >> times;
    const char* const name = word == "send" ? "send" : "send_long";
    bpf_program* const program = bpf_object__find_program_by_name(object.get(), name);
    bpf_link* const link = bpf_program__attach(program);
    if (link == nullptr) give_up("attach");
    send(times, cpus);
    bpf_link__destroy(link);
    print_counts(counts, cpus);
  }
  return 0;
}
