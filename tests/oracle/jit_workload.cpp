// A just-in-time compiler in one page: puts machine code at addresses, uses them again for other code, moves code, and
// writes a jitdump as the kernel's specification asks for. What it runs when it says on standard output:
//
//   NAME FROM TO    nanoseconds of CLOCK_MONOTONIC
//
//   jit_workload FOLDER   with a jitdump in FOLDER
//   jit_workload          with a /tmp/perf-PID.map, and for half a minute
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

std::uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

// Where the instructions of spin_code begin.
constexpr std::uint64_t spin_instructions[] = {0, 1, 4, 7, 9, 10};

class JitDump {
 public:
  explicit JitDump(const std::string& folder) {
    const std::string path = folder + "/jit-" + std::to_string(getpid()) + ".dump";
    file_ = open(path.c_str(), O_CREAT | O_TRUNC | O_RDWR, 0600);
    add<std::uint32_t>({0x4a695444, 1, 40, EM_X86_64, 0, static_cast<std::uint32_t>(getpid())});
    add<std::uint64_t>({now(), 0});
    write_out();
    // The kernel records this mapping, and so tells perf where the dump is.
    void* const marker = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file_, 0);
    if (file_ < 0 || marker == MAP_FAILED) std::exit(EXIT_FAILURE);
  }

  void load(const char* name, const void* code, std::uint64_t size, std::uint64_t index) {
    const auto at = reinterpret_cast<std::uint64_t>(code);
    // Each instruction of spin_code is a line: JIT_CODE_DEBUG_INFO comes before the code it is of.
    const std::string file = std::string(name) + ".js";
    begin(2);
    add<std::uint64_t>({at, std::size(spin_instructions)});
    for (std::uint32_t line = 0; line < std::size(spin_instructions); ++line) {
      add<std::uint64_t>({at + spin_instructions[line]});
      add<std::uint32_t>({line + 1, 0});
      append(file.c_str(), file.size() + 1);
    }
    end();
    begin(0);
    add<std::uint32_t>({static_cast<std::uint32_t>(getpid()), static_cast<std::uint32_t>(getpid())});
    add<std::uint64_t>({at, at, size, index});
    append(name, std::strlen(name) + 1);
    append(code, size);
    end();
  }

  void move(const void* from, const void* to, std::uint64_t size, std::uint64_t index) {
    const auto source = reinterpret_cast<std::uint64_t>(from), target = reinterpret_cast<std::uint64_t>(to);
    begin(1);
    add<std::uint32_t>({static_cast<std::uint32_t>(getpid()), static_cast<std::uint32_t>(getpid())});
    add<std::uint64_t>({target, source, target, size, index});
    end();
  }

 private:
  void begin(std::uint32_t id) {
    add<std::uint32_t>({id, 0});
    add<std::uint64_t>({now()});
  }
  void end() {
    const auto size = static_cast<std::uint32_t>(bytes_.size());
    std::memcpy(bytes_.data() + 4, &size, sizeof size);
    write_out();
  }
  template <typename T>
  void add(std::initializer_list<T> values) {
    for (const T value : values) append(&value, sizeof value);
  }
  void append(const void* from, std::size_t size) {
    const auto* const bytes = static_cast<const char*>(from);
    bytes_.insert(bytes_.end(), bytes, bytes + size);
  }
  void write_out() {
    if (write(file_, bytes_.data(), bytes_.size()) != static_cast<ssize_t>(bytes_.size())) std::exit(EXIT_FAILURE);
    bytes_.clear();
  }

  int file_ = -1;
  std::vector<char> bytes_;
};

// A function that counts its argument down, with a frame pointer.
const unsigned char spin_code[] = {
    0x55,              // push %rbp
    0x48, 0x89, 0xe5,  // mov %rsp,%rbp
    0x48, 0xff, 0xcf,  // dec %rdi
    0x75, 0xfb,        // jne to the dec
    0x5d,              // pop %rbp
    0xc3,              // ret
};

void run(const char* name, void* code) {
  void (*spin)(std::uint64_t) = nullptr;
  std::memcpy(&spin, &code, sizeof spin);
  const std::uint64_t from = now();
  while (now() < from + 200'000'000) spin(1'000'000);
  std::printf("%s %" PRIu64 " %" PRIu64 "\n", name, from, now());
}

void write_perf_map(const void* code, const char* name) {
  const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  std::FILE* const map = std::fopen(path.c_str(), "w");
  if (map == nullptr) std::exit(EXIT_FAILURE);
  std::fprintf(map, "%" PRIxPTR " %zx %s\n", reinterpret_cast<std::uintptr_t>(code), sizeof spin_code, name);
  std::fclose(map);
}

}  // namespace

int main(int argc, char** argv) {
  auto* const memory = static_cast<unsigned char*>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (memory == MAP_FAILED) return EXIT_FAILURE;
  unsigned char *const first = memory, *const second = memory + 0x100, *const third = memory + 0x200;
  for (unsigned char* place : {first, second, third}) std::memcpy(place, spin_code, sizeof spin_code);
  constexpr std::uint64_t size = sizeof spin_code;

  if (argc != 2) {
    write_perf_map(first, "mapped");
    for (int i = 0; i < 150; ++i) run("mapped", first);
    return 0;
  }
  JitDump dump(argv[1]);
  dump.load("alpha", first, size, 1);
  run("alpha", first);
  dump.load("beta", second, size, 2);
  run("beta", second);
  dump.load("gamma", first, size, 3);
  run("gamma", first);
  dump.move(second, third, size, 2);
  run("beta", third);
  dump.load("delta", second, size, 4);
  run("delta", second);
  run("gamma", first);
}
