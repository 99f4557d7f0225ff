// The first code of the portable perfsift: starts the program with the dynamic loader and the C library that lie beside
// it.
//
// The kernel starts a dynamic program with the loader whose absolute path is in the program (PT_INTERP). Another
// distribution has an older loader at that path, or, with musl, none. A static program would need no loader, but glibc
// loads neither libpfm, libdebuginfod nor modules for `perfsift dlfilter` into a static program. A script or a second
// program that runs "ld.so perfsift" needs a shell or a second execve(), and /proc/self/exe would be the loader.
//
// So PT_INTERP is PT_NULL in the file of the portable program (cmake/release/hide_interpreter.py), and the kernel jumps
// to this code. It maps the loader of ../lib/perfsift/libc, as load_elf_binary() in fs/binfmt_elf.c would, tells the
// loader by the auxiliary vector that the kernel had loaded both, and jumps to the loader. The loader finds libraries
// by the DT_RPATH of the program, $ORIGIN/../lib/perfsift.
//
// Nothing is relocated yet and no library is loaded: this file uses neither libc nor thread-local storage nor pointers
// in data.
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define LOADER "ld-linux-x86-64.so.2"
__asm__(
    ".globl perfsift_start\n"
    ".type perfsift_start, @function\n"
    "perfsift_start:\n"
    "  xorl %ebp, %ebp\n"
    "  movq %rsp, %rbx\n"
    "  movq %rsp, %rdi\n"
    "  andq $-16, %rsp\n"
    "  call map_loader\n"
    "  movq %rbx, %rsp\n"
    "  xorl %edx, %edx\n"  // no function for atexit()
    "  jmp *%rax\n");

static long system_call(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
#define LOADER "ld-linux-aarch64.so.1"
__asm__(
    ".globl perfsift_start\n"
    ".type perfsift_start, %function\n"
    "perfsift_start:\n"
    "  mov x29, #0\n"
    "  mov x30, #0\n"
    "  mov x19, sp\n"
    "  mov x0, sp\n"
    "  bl map_loader\n"
    "  mov sp, x19\n"
    "  mov x16, x0\n"
    "  mov x0, #0\n"  // no function for atexit()
    "  br x16\n");

static long system_call(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
#else
#error "The portable perfsift is made for x86-64 and aarch64"
#endif

enum { path_size = 4096, most_segments = 16, cannot_start = 127 };

// The entry of the C library's start-up code, to which the loader jumps at the end. The name is that of the C library.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern void _start(void) __attribute__((visibility("hidden")));

static size_t length(const char* text) {
  size_t size = 0;
  while (text[size] != '\0') ++size;
  return size;
}

static void say(const char* text) { system_call(SYS_write, STDERR_FILENO, (long)text, (long)length(text), 0, 0, 0); }

static void fail(const char* path, const char* reason) {
  say("perfsift: ");
  say(path);
  say(path[0] != '\0' ? ": " : "");
  say(reason);
  say("\n");
  system_call(SYS_exit_group, cannot_start, 0, 0, 0, 0, 0);
  __builtin_unreachable();
}

static int failed(long result) { return result < 0 && result > -4096; }

// The kernel's list of facts for the loader, behind the arguments and the environment.
static ElfW(auxv_t) * auxiliary_vector(long* stack) {
  char** word = (char**)(stack + 1 + stack[0] + 1);
  while (*word != NULL) ++word;
  return (ElfW(auxv_t)*)(word + 1);
}

static ElfW(auxv_t) * find(ElfW(auxv_t) * facts, unsigned long type) {
  for (; facts->a_type != AT_NULL; ++facts) {
    if (facts->a_type == type) return facts;
  }
  return NULL;
}

static void append(char* path, const char* text) {
  size_t at = length(path), i = 0;
  for (; text[i] != '\0' && at + i + 1 < path_size; ++i) path[at + i] = text[i];
  path[at + i] = '\0';
}

// "/opt/perfsift/bin/../lib/perfsift/libc/ld-linux-x86-64.so.2", whatever link the program was started by.
static void loader_path(char* path) {
  const long size = system_call(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe", (long)path, path_size - 1, 0, 0);
  if (failed(size)) fail("/proc/self/exe", "cannot be read; this build finds its libraries by it: mount /proc");
  path[size] = '\0';
  for (long at = size; at >= 0 && path[at] != '/'; --at) path[at] = '\0';
  append(path, "../lib/perfsift/libc/" LOADER);
}

static uintptr_t page_down(uintptr_t address, uintptr_t page) { return address & ~(page - 1); }
static uintptr_t page_up(uintptr_t address, uintptr_t page) { return page_down(address + page - 1, page); }

static long map(uintptr_t address, uintptr_t size, int protection, int flags, int file, uintptr_t offset) {
  return system_call(SYS_mmap, (long)address, (long)size, protection, flags, file, (long)offset);
}

// Maps a segment: the part that is in the file, then zeros.
static void map_segment(const char* path, int file, uintptr_t base, const ElfW(Phdr) * segment, uintptr_t page) {
  const int protection = ((segment->p_flags & PF_R) ? PROT_READ : 0) | ((segment->p_flags & PF_W) ? PROT_WRITE : 0) |
                         ((segment->p_flags & PF_X) ? PROT_EXEC : 0);
  const uintptr_t from = base + page_down(segment->p_vaddr, page);
  const uintptr_t end_of_file = base + segment->p_vaddr + segment->p_filesz,
                  end = base + segment->p_vaddr + segment->p_memsz;
  const uintptr_t end_of_pages = page_up(end_of_file, page);
  if (failed(map(from, end_of_file - from, protection, MAP_PRIVATE | MAP_FIXED, file,
                 page_down(segment->p_offset, page)))) {
    fail(path, "cannot be mapped");
  }
  if (end == end_of_file) return;
  for (volatile char* byte = (volatile char*)end_of_file; (uintptr_t)byte < end_of_pages; ++byte) *byte = 0;
  if (end > end_of_pages && failed(map(end_of_pages, page_up(end, page) - end_of_pages, protection,
                                       MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0))) {
    fail(path, "cannot be mapped");
  }
}

// Maps all segments of the loader; its base and its entry.
static uintptr_t map_file(const char* path, uintptr_t page, uintptr_t* entry) {
  struct {
    ElfW(Ehdr) header;
    ElfW(Phdr) segments[most_segments];  // they follow the header in all files that linkers write
  } start;
  const long file = system_call(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (failed(file))
    fail(path, "cannot be opened; keep bin/perfsift and lib/perfsift together, or install them by install.sh");
  const long size = system_call(SYS_pread64, file, (long)&start, sizeof start, 0, 0, 0);
  const ElfW(Ehdr)* const header = &start.header;
  // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): pread64() fills the header
  if (size < (long)sizeof start || header->e_phoff != sizeof *header || header->e_phnum > most_segments ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_MAG1] != ELFMAG1) {
    fail(path, "is not the loader of this build; unpack perfsift again");
  }
  uintptr_t end = 0;
  for (int i = 0; i < header->e_phnum; ++i) {
    if (start.segments[i].p_type == PT_LOAD) end = start.segments[i].p_vaddr + start.segments[i].p_memsz;
  }
  const long base = map(0, page_up(end, page), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (failed(base)) fail(path, "cannot be mapped");
  for (int i = 0; i < header->e_phnum; ++i) {
    if (start.segments[i].p_type == PT_LOAD) map_segment(path, (int)file, (uintptr_t)base, &start.segments[i], page);
  }
  system_call(SYS_close, file, 0, 0, 0, 0, 0);
  *entry = (uintptr_t)base + header->e_entry;
  return (uintptr_t)base;
}

// glibc's loader takes its own name from PT_INTERP, and ends without one (rtld_setup_main_map() in elf/rtld.c).
static void show_interpreter(ElfW(auxv_t) * facts, uintptr_t page) {
  const ElfW(auxv_t)*const first = find(facts, AT_PHDR), *const count = find(facts, AT_PHNUM);
  if (first == NULL || count == NULL) fail("", "the kernel does not say where this program is");
  ElfW(Phdr)* const segments = (ElfW(Phdr)*)first->a_un.a_val;
  const uintptr_t from = page_down((uintptr_t)segments, page),
                  end = page_up((uintptr_t)(segments + count->a_un.a_val), page);
  if (failed(system_call(SYS_mprotect, (long)from, (long)(end - from), PROT_READ | PROT_WRITE, 0, 0, 0))) {
    fail("", "the kernel does not let this build change its own headers; build perfsift on this machine");
  }
  for (unsigned long i = 0; i < count->a_un.a_val; ++i) {
    if (segments[i].p_type == PT_NULL) segments[i].p_type = PT_INTERP;
  }
  system_call(SYS_mprotect, (long)from, (long)(end - from), PROT_READ, 0, 0, 0);
}

// Called by perfsift_start with the stack that the kernel made; the entry of the loader.
__attribute__((used, visibility("hidden"))) uintptr_t map_loader(long* stack) {
  ElfW(auxv_t)* const facts = auxiliary_vector(stack);
  ElfW(auxv_t)*const base = find(facts, AT_BASE), *const entry = find(facts, AT_ENTRY),
                     *const page = find(facts, AT_PAGESZ);
  if (base == NULL || entry == NULL || page == NULL) fail("", "the kernel does not say where this program is");
  if (base->a_un.a_val != 0) return (uintptr_t)&_start;  // the kernel has loaded a loader: PT_INTERP was not removed
  const ElfW(auxv_t)* const secure = find(facts, AT_SECURE);
  if (secure != NULL && secure->a_un.a_val != 0) {
    fail("",
         "this build cannot have set-user-ID bits or capabilities of its file: glibc would not load the libraries "
         "beside it; use sudo, or build perfsift on this machine");
  }
  char path[path_size];
  loader_path(path);
  uintptr_t loader_entry = 0;
  show_interpreter(facts, page->a_un.a_val);
  base->a_un.a_val = map_file(path, page->a_un.a_val, &loader_entry);
  entry->a_un.a_val = (uintptr_t)&_start;
  return loader_entry;
}
