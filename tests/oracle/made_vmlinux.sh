# A vmlinux that is made for the running kernel, to be sourced. Kernels with debug information are large and rarely installed. This
# one has the build id of the kernel, is linked at another address than the kernel's, and has one function as large as the whole
# kernel, with an inlined call in line 2.
# Another one has the functions that were recorded, each with as many bytes of code as the kernel's, but other code.
# shellcheck shell=bash

# Makes the file `vmlinux` for the kernel of a recording. Fails, with a reason in `errors`, if it cannot be made.
make_vmlinux() { # RECORDING
  local id
cat >start.S <<'END'
.globl _text, _stext
.text
_text:
_stext: nop
END
cat >everything.c <<'END'
static inline __attribute__((always_inline)) void inner(void) {
  asm volatile(".fill 0x4000000, 1, 0x90");
}
void everything(void) {
  inner();
}
END
  id=$(perf buildid-list -i "$1" 2>/dev/null | awk '$2 ~ /vmlinux|kernel.kallsyms/ { print $1; exit }')
  [[ $id ]] || { echo "the kernel has no build id" >errors; return 1; }
  gcc -g -O2 -fno-pic -fno-pie -mcmodel=kernel -fno-asynchronous-unwind-tables start.S everything.c -o vmlinux \
    -static -nostdlib -no-pie "-Wl,--build-id=0x$id,-Ttext=0xffffffff91000000,-e,_text" 2>errors
}

# The same; the functions of the recording are where they are in the kernel.
make_vmlinux_of_functions() { # RECORDING
  local id
  id=$(perf buildid-list -i "$1" 2>/dev/null | awk '$2 ~ /vmlinux|kernel.kallsyms/ { print $1; exit }')
  [[ $id ]] || { echo "the kernel has no build id" >errors; return 1; }
  perf report -i "$1" --stdio -F sym 2>/dev/null | sed -n 's/^ *\[k\] \([^ ]*\) *$/\1/p' | sort -u >functions
  python3 - >functions.S <<'PYTHON' || { echo "kallsyms shows no addresses" >errors; return 1; }
import bisect, collections, sys
wanted = set(open("functions").read().split())
symbols = [line.split() for line in open("/proc/kallsyms") if line.count("[") == 0]
symbols = [(int(address, 16), name) for address, kind, name in symbols if kind in "tT"]
start = next(address for address, name in symbols if name == "_stext")
if start == 0:
    sys.exit(1)
addresses = sorted({address for address, name in symbols})
times = collections.Counter(name for address, name in symbols)
print(".globl _text, _stext\n.text\n_text:\n_stext:")
done = set()  # aliases
for address, name in sorted(symbols):
    if name not in wanted or times[name] != 1 or address in done or not 0 < address - start < 1 << 26:
        continue
    done.add(address)
    size = addresses[bisect.bisect_right(addresses, address)] - address
    print(f".org {address - start}\n.type {name}, @function\n{name}:\n.rept {size // 8}\ncall _stext\naddl $1, %eax\n.endr\n"
          f".fill {size % 8}, 1, 0x90\n.size {name}, {size}")
PYTHON
  gcc -c functions.S -o functions.o 2>errors &&
    ld functions.o -o vmlinux -static "--build-id=0x$id" -Ttext=0xffffffff91000000 -e _text 2>errors
}
