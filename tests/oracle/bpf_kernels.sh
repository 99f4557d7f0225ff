#!/bin/bash
# The BPF programs of --in-kernel must fit other kernels than the one that runs: every member that they read must be found in
# the types (BTF) of each kernel, and the tracepoints must have the arguments in their places.
#
#   bpf_kernels.sh OBJECT [KERNEL…]
#
# OBJECT: record/waits.bpf.o of a build. KERNEL: a package of Debian (linux-image-rt-amd64), with the name of another release in
# front (bullseye:linux-image-cloud-amd64); a vmlinux or vmlinuz; or a file of BTF. Without any: kernels of Debian 11, 12 and 13,
# backports, and the kernel that runs. The kernel that runs also verifies the programs. By hand, as root: packages are loaded from
# the distribution.
set -u
export LC_ALL=C
object=$(realpath -e "${1:?Usage: bpf_kernels.sh OBJECT [KERNEL…]}") || exit 1
shift
(($# > 0)) || set -- bullseye:linux-image-cloud-amd64 bullseye:linux-image-rt-amd64 linux-image-cloud-amd64 linux-image-rt-amd64 \
  linux-image-6.12-cloud-amd64 linux-image-6.12-rt-amd64 trixie:linux-image-cloud-amd64 /sys/kernel/btf/vmlinux
scratch=$(mktemp -d)
trap 'umount "$scratch/pinned" 2>/dev/null; rm -rf "$scratch"' EXIT
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
for magic, command in ((b"\xfd7zXZ\0", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"\x1f\x8b\x08", "gzip"), (b"\x02\x21\x4c\x18", "lz4")):
    at = data.find(magic)
    while at >= 0:
        plain = subprocess.run([command, "-dc"], input=data[at:], capture_output=True).stdout
        if plain[:4] == b"\x7fELF":
            sys.exit(not open(sys.argv[2], "wb").write(plain))
        at = data.find(magic, at + 1)
sys.exit("no kernel in " + sys.argv[1])
END_OF_PYTHON
}

# The options by which apt knows the packages of RELEASE, beside those of this system.
apt_options_of() { # RELEASE
  local folder=$scratch/$1 site
  options=(-o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$folder/lists"
    -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root)
  [[ ! -e $folder ]] || return 0
  mkdir -p "$folder"/{lists,cache/archives}/partial
  # shellcheck disable=SC2016
  site=$(apt-get indextargets --format '$(SITE) $(RELEASE)' "Origin: Debian" | awk '$2 == "bookworm" { print $1; exit }')
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site $1 main" >"$folder/sources.list"
  apt-get -q "${options[@]}" update >&2
}

# The kernel of a package, or of the package that this one depends on: linux-image-cloud-amd64 is the newest of its kind.
loaded() { # PACKAGE: prints the path of its vmlinuz
  local folder=$scratch/package package=${1#*:} newest options=(-o APT::Sandbox::User=root)
  [[ $1 != *:* ]] || apt_options_of "${1%%:*}" || return 1
  newest=$(apt-cache "${options[@]}" depends "$package" | awk '/Depends: linux-image-/ { print $2; exit }')
  rm -rf "$folder" && mkdir -p "$folder"
  (cd "$folder" && apt-get -q "${options[@]}" download "${newest:-$package}" >&2 && dpkg-deb --extract ./*.deb .) || return 1
  find "$folder/boot" -name 'vmlinuz-*'
}

types_of() { # KERNEL: prints the path of a file with its BTF
  [[ $1 != /sys/kernel/btf/* ]] || { echo "$1"; return; }
  [[ -e $1 ]] || set -- "$(loaded "$1")"
  [[ $1 ]] && vmlinux_of "$1" "$scratch/vmlinux" && echo "$scratch/vmlinux"
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
  version=$(strings -n 12 "$types" | grep -m 1 -oE '^Linux version [^ ]+' | cut -d' ' -f3)
  echo "$kernel: ${version:-$(uname -r)}: $used; $(grep sched_switch <<<"$arguments")"
done

# The log of this kernel's verifier has the number of instructions that it followed, out of a million.
echo "the verifier of $(uname -r):"
mkdir "$scratch/pinned"
mount -t bpf bpf "$scratch/pinned"
bpftool --debug prog loadall "$object" "$scratch/pinned/waits" >"$scratch/verifier" 2>&1 ||
  bad "not loaded: $(grep -m 1 '^Error' "$scratch/verifier")"
umount "$scratch/pinned"
awk -F\' '/BEGIN PROG LOAD LOG/ { program = $2 } /^processed [0-9]+ insns/ { print program ": " $0 }' "$scratch/verifier" >"$scratch/followed"
sed 's/^/  /' "$scratch/followed"
[[ $(cut -d: -f1 "$scratch/followed" | sort | paste -sd ' ') == 'on_exec on_fork on_switch on_wakeup on_wakeup_new on_waking' ]] ||
  bad "the programs that were verified are others"
awk '$3 > 100000 { exit 1 }' "$scratch/followed" || bad "the verifier follows too many instructions"

echo "$failures different"
((failures == 0))
