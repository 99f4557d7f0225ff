#!/bin/bash
# The BPF programs of --in-kernel must fit other kernels than the one that runs: every member that they read must be found in
# the types (BTF) of each kernel, and the tracepoints must have the arguments in their places.
#
#   bpf_kernels.sh OBJECT [KERNEL…]
#
# OBJECT: record/waits.bpf.o of a build. KERNEL: a package of Debian (linux-image-6.1.0-50-cloud-amd64), a vmlinux or vmlinuz, or
# a file of BTF; without any, a kernel of Debian 12, one of its backports, and the one that runs. By hand: packages are loaded
# from the distribution.
set -u
export LC_ALL=C
object=$(realpath -e "${1:?Usage: bpf_kernels.sh OBJECT [KERNEL…]}") || exit 1
shift
(($# > 0)) || set -- linux-image-6.1.0-50-cloud-amd64 linux-image-6.1.0-50-rt-amd64 linux-image-6.12.117+deb12-cloud-amd64 \
  linux-image-6.12.117+deb12-rt-amd64 /sys/kernel/btf/vmlinux
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

bad() { # WHAT…
  echo "BAD: $*"
  failures=$((failures + 1))
}

# The kernel in a vmlinuz is compressed: its beginning is looked for, as by scripts/extract-vmlinux of the kernel.
vmlinux_of() { # VMLINUZ OUTPUT
  python3 - "$1" "$2" <<'END_OF_PYTHON'
import subprocess, sys
data = open(sys.argv[1], "rb").read()
if data[:4] == b"\x7fELF":
    sys.exit(not open(sys.argv[2], "wb").write(data))
for magic, command in ((b"\xfd7zXZ\0", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"\x1f\x8b\x08", "gzip")):
    at = data.find(magic)
    while at >= 0:
        plain = subprocess.run([command, "-dc"], input=data[at:], capture_output=True).stdout
        if plain[:4] == b"\x7fELF":
            sys.exit(not open(sys.argv[2], "wb").write(plain))
        at = data.find(magic, at + 1)
sys.exit("no kernel in " + sys.argv[1])
END_OF_PYTHON
}

types_of() { # KERNEL: prints the path of a file with its BTF
  local folder=$scratch/package
  [[ $1 != /sys/kernel/btf/* ]] || { echo "$1"; return; }
  if [[ ! -e $1 ]]; then
    rm -rf "$folder" && mkdir -p "$folder"
    (cd "$folder" && apt-get download "$1" >&2 && dpkg-deb --extract ./*.deb .) || return 1
    set -- "$(find "$folder/boot" -name 'vmlinuz-*' | head -n 1)"
  fi
  vmlinux_of "$1" "$scratch/vmlinux" && echo "$scratch/vmlinux"
}

for kernel; do
  types=$(types_of "$kernel") || { bad "$kernel: no types"; continue; }
  # bpftool resolves each relocation of the object against the types, and fails where it cannot.
  bpftool gen min_core_btf "$types" "$scratch/used" "$object" 2>"$scratch/errors" ||
    { bad "$kernel: $(tail -n 1 "$scratch/errors")"; continue; }
  used=$(bpftool btf dump file "$scratch/used" | grep -oE "'(pid|tgid|__state|state|exit_state|prio|flags|start_time|comm)' type" |
    cut -d\' -f2 | sort -u | paste -sd ' ')
  [[ $used == '__state comm exit_state flags pid prio start_time tgid' || $used == *' state '* ]] ||
    bad "$kernel: the members found are $used"
  arguments=$(bpftool btf dump file "$types" | python3 -c '
import re, sys
types = {}
for line in sys.stdin:
    if line[0] == "[":
        number, rest = line.split("] ", 1)
        entry = types[int(number[1:])] = [rest, []]
    else: entry[1].append(line.strip())
def name(number):
    kind = types[number][0]
    target = re.search(r"type_id=(\d+)", kind)
    if kind.startswith("PTR"): return name(int(target[1])) + "*"
    if kind.startswith("CONST"): return name(int(target[1]))
    return re.search(r"\x27(.*?)\x27", kind)[1]
for number, (kind, parameters) in types.items():
    found = re.match(r"TYPEDEF \x27btf_trace_(sched_(?:switch|waking|wakeup|wakeup_new|process_fork|process_exec))\x27 type_id=(\d+)", kind)
    if not found: continue
    function = types[int(re.search(r"type_id=(\d+)", types[int(found[2])][0])[1])]
    print(found[1], *(name(int(re.search(r"type_id=(\d+)", one)[1])) for one in function[1][1:]))' | sort)
  expected='sched_process_exec task_struct* pid_t linux_binprm*
sched_process_fork task_struct* task_struct*
sched_wakeup task_struct*
sched_wakeup_new task_struct*
sched_waking task_struct*'
  [[ $(grep -v sched_switch <<<"$arguments") == "$expected" ]] || { bad "$kernel: other arguments:"; echo "$arguments"; }
  grep -qE '^sched_switch (bool|_Bool) task_struct\* task_struct\*( unsigned int)?$' <<<"$arguments" ||
    bad "$kernel: $(grep sched_switch <<<"$arguments")"
  echo "$kernel: $used; $(grep sched_switch <<<"$arguments")"
done
echo "$failures different"
((failures == 0))
