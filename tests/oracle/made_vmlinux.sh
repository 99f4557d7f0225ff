# A vmlinux that is made for the running kernel, to be sourced. Kernels with debug information are large and rarely installed. This
# one has the build id of the kernel, is linked at another address than the kernel's, and has one function as large as the whole
# kernel, with an inlined call in line 2.
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
