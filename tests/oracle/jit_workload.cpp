// A small just-in-time compiler: writes machine code to addresses, reuses these addresses for other code, moves code,
// and writes a jitdump as the kernel's specification requires. It logs what runs when on standard output:
//
//   NAME FROM TO    nanoseconds of CLOCK_MONOTONIC
//
//   jit_workload FOLDER             with a jitdump in FOLDER
//   jit_workload FOLDER frameless   with a jitdump of code without frame pointers, and CFI to unwind the code
//   jit_workload                    with a /tmp/perf-PID.map, and for half a minute of CPU time
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

std::uint64_t now(clockid_t clock = CLOCK_MONOTONIC) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

// The offsets of the instructions of spin_code.
constexpr std::uint64_t spin_instructions[] = {0, 1, 4, 7, 9, 10};

class JitDump {
 public:
  explicit JitDump(const std::string& folder) {
    const std::string path = folder + "/jit-" + std::to_string(getpid()) + ".dump";
    file_ = open(path.c_str(), O_CREAT | O_TRUNC | O_RDWR, 0600);
    add<std::uint32_t>({0x4a695444, 1, 40, EM_X86_64, 0, static_cast<std::uint32_t>(getpid())});
    add<std::uint64_t>({now(), 0});
    write_out();
    // The kernel records this mapping, in which perf finds the path of the dump.
    void* const marker = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file_, 0);
    if (file_ < 0 || marker == MAP_FAILED) std::exit(EXIT_FAILURE);
  }

  void load(const char* name, const void* code, std::uint64_t size, std::uint64_t index) {
    const auto at = reinterpret_cast<std::uint64_t>(code);
    // Each instruction of spin_code is a line. JIT_CODE_DEBUG_INFO comes before the code that it describes.
    const std::string file = std::string(name) + ".js";
    begin(2);
    add<std::uint64_t>({at, std::size(spin_instructions)});
    for (std::uint32_t line = 0; line < std::size(spin_instructions); ++line) {
      add<std::uint64_t>({at + spin_instructions[line]});
      add<std::uint32_t>({line + 1, 0});
      append(file.c_str(), file.size() + 1);
    }
    end();
    load_code(name, code, size, index);
  }

  // Writes the CFI of the code that is loaded next: .eh_frame, and behind it its search table.
  void unwinding(const std::vector<unsigned char>& eh_frame, const std::vector<unsigned char>& eh_frame_hdr) {
    begin(4);
    const std::uint64_t size = eh_frame.size() + eh_frame_hdr.size();
    add<std::uint64_t>({size, eh_frame_hdr.size(), size});
    append(eh_frame.data(), eh_frame.size());
    append(eh_frame_hdr.data(), eh_frame_hdr.size());
    end();
  }

  // Writes code without line information to the dump.
  void load_code(const char* name, const void* code, std::uint64_t size, std::uint64_t index) {
    const auto at = reinterpret_cast<std::uint64_t>(code);
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
  // Counts CPU time, so that a busy machine gives as many samples.
  const std::uint64_t enough = now(CLOCK_PROCESS_CPUTIME_ID) + 200'000'000;
  while (now(CLOCK_PROCESS_CPUTIME_ID) < enough) spin(1'000'000);
  std::printf("%s %" PRIu64 " %" PRIu64 "\n", name, from, now());
}

using Code = std::vector<unsigned char>;

void append(Code& to, std::initializer_list<int> bytes) {
  for (const int byte : bytes) to.push_back(static_cast<unsigned char>(byte));
}
template <typename T>
void append_number(Code& to, T number) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&number);
  to.insert(to.end(), bytes, bytes + sizeof number);
}

// A function with a frame of `frame` bytes that counts down in the register that other code uses as frame pointer.
Code counting_function(int frame) {
  Code code;
  append(code, {0x55});                     // push %rbp
  append(code, {0x48, 0x83, 0xec, frame});  // sub $frame,%rsp
  append(code, {0x48, 0x89, 0xfd});         // mov %rdi,%rbp
  append(code, {0x48, 0xff, 0xcd});         // dec %rbp
  append(code, {0x75, 0xfb});               // jne to the dec
  append(code, {0x48, 0x83, 0xc4, frame});  // add $frame,%rsp
  append(code, {0x5d, 0xc3});               // pop %rbp, ret
  return code;
}
Code rules_of_counting_function(int frame) {
  Code rules;
  append(rules, {0x41, 0x0e, 16, 0x86, 2});  // behind the push: CFA is rsp+16, rbp is at CFA-16
  append(rules, {0x44, 0x0e, 16 + frame});   // behind the sub
  append(rules, {0x4c, 0x0e, 16});           // behind the add
  append(rules, {0x41, 0x0e, 8, 0xc6});      // behind the pop: rbp is restored
  return rules;
}

// A function with a frame of `frame` bytes that calls another function.
Code calling_function(int frame, const void* callee) {
  Code code;
  append(code, {0x48, 0x83, 0xec, frame});  // sub $frame,%rsp
  append(code, {0x48, 0xb8});               // mov $callee,%rax
  append_number(code, reinterpret_cast<std::uint64_t>(callee));
  append(code, {0xff, 0xd0});               // call *%rax
  append(code, {0x48, 0x83, 0xc4, frame});  // add $frame,%rsp
  append(code, {0xc3});                     // ret
  return code;
}
Code rules_of_calling_function(int frame) {
  Code rules;
  append(rules, {0x44, 0x0e, 8 + frame});  // behind the sub
  append(rules, {0x50, 0x0e, 8});          // behind the add
  return rules;
}

void pad(Code& code, std::size_t alignment) { code.resize((code.size() + alignment - 1) / alignment * alignment); }

// Loads a function without a frame pointer at an address, and writes it to the dump. .eh_frame is behind the code, and
// the pointers in .eh_frame are relative to their own addresses.
void load_frameless(JitDump& dump, const char* name, unsigned char* at, const Code& code, const Code& rules,
                    std::uint64_t index) {
  std::memcpy(at, code.data(), code.size());
  const auto to_code = -static_cast<std::int32_t>((code.size() + 7) / 8 * 8);  // from the start of .eh_frame

  Code frame;
  append_number(frame, std::uint32_t{20});                            // the CIE's length
  append(frame, {0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b});  // addresses are relative, in 4 bytes
  append(frame, {0x0c, 7, 8, 0x90, 1, 0, 0});                         // CFA is rsp+8, the return address below it
  const std::size_t fde = frame.size();
  append_number(frame, std::uint32_t{0});  // length, filled in below
  append_number(frame, static_cast<std::uint32_t>(frame.size()));
  append_number(frame, to_code - static_cast<std::int32_t>(frame.size()));
  append_number(frame, static_cast<std::uint32_t>(code.size()));
  append(frame, {0});
  frame.insert(frame.end(), rules.begin(), rules.end());
  pad(frame, 8);
  const auto length = static_cast<std::uint32_t>(frame.size() - fde - 4);
  std::memcpy(frame.data() + fde, &length, sizeof length);
  append_number(frame, std::uint64_t{0});  // the end

  const auto size = static_cast<std::int32_t>(frame.size());
  Code header;
  append(header, {1, 0x1b, 0x03, 0x3b});
  append_number(header, -size - 4);
  append_number(header, std::uint32_t{1});
  append_number(header, to_code - size);
  append_number(header, static_cast<std::int32_t>(fde) - size);

  dump.unwinding(frame, header);
  dump.load_code(name, at, code.size(), index);
}

// outer calls inner. Then a function with another frame is loaded at the address of inner, and then elsewhere.
[[gnu::noinline]] void run_frameless(JitDump& dump, unsigned char* memory) {
  unsigned char *const inner = memory, *const outer = memory + 0x400, *const moved = memory + 0x800;
  load_frameless(dump, "outer", outer, calling_function(0x38, inner), rules_of_calling_function(0x38), 1);
  load_frameless(dump, "small", inner, counting_function(0x10), rules_of_counting_function(0x10), 2);
  run("small", outer);
  const Code large = counting_function(0x40);
  load_frameless(dump, "large", inner, large, rules_of_counting_function(0x40), 3);
  run("large", outer);
  std::memcpy(moved, large.data(), large.size());
  dump.move(inner, moved, large.size(), 3);
  load_frameless(dump, "small", inner, counting_function(0x10), rules_of_counting_function(0x10), 4);
  load_frameless(dump, "outer", outer, calling_function(0x68, moved), rules_of_calling_function(0x68), 5);
  run("large", outer);
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

  if (argc < 2) {
    write_perf_map(first, "mapped");
    for (int i = 0; i < 150; ++i) run("mapped", first);
    return 0;
  }
  JitDump dump(argv[1]);
  if (argc > 2) {
    run_frameless(dump, memory);
    return 0;
  }
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
