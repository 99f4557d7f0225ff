#!/bin/bash
# perfsift record beside perf record: the same options, the same deterministic program.
#
#   record_beside_perf.sh PERFSIFT WORKLOAD        WORKLOAD: record_workload
#
# Of each pair of recordings:
#   - perf 6.1 reads ours without a warning, and so does a newer perf that $PERFSIFT_NEWER_PERF names;
#   - the attrs are equal but for what `normalised_attrs` lists, and so are the features of the header;
#   - the shares of the program's functions agree within 4 standard deviations of their difference;
#   - each address that perf's recording names is named in ours (addresses are not random here);
#   - what can be counted beforehand is equal: breakpoints, forks.
#
# $LONG records longer. Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 that can record here.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin
spins=${LONG:+200000}
spins=${spins:-12000}
watched=0x$(nm "$workload" | awk '$3 == "watched" { print $1 }')
fixed=(setarch -R)
"${fixed[@]}" true 2>/dev/null || fixed=()

different() { # WHAT…
  echo "DIFFERENT: $*"
  failures=$((failures + 1))
}

# --- What each pair must have

reads_quietly() { # PERF RECORDING
  local command
  for command in report script evlist; do
    local arguments=(-i "$2")
    [[ $command != report ]] || arguments+=(--stdio)
    [[ $command != evlist ]] || arguments+=(-v)
    "$1" "$command" "${arguments[@]}" >read.out 2>read.errors || different "$1 $command of $2 fails"
    [[ ! -s read.errors ]] || { different "$1 $command of $2 warns:"; head -n 3 read.errors; }
  done
}

# Attrs without what differs on purpose:
#   - ours say CLOCK_MONOTONIC, a watermark instead of a wake-up by each event, and build ids in mappings;
#   - perf 6.1 has ID where ours has IDENTIFIER, which stands at a fixed place in all records;
#   - perf leaves the kernel and guests in its dummy event, which counts nothing;
#   - with groups to be read (:S) and overwritten rings, perf takes the records beside samples from another event;
#   - perf records data addresses with --call-graph dwarf, which no reader of stacks needs;
#   - ours name cgroups of samples in the events that have samples.
normalised_attrs() { # RECORDING
  perf evlist -v -i "$1" 2>/dev/null | grep -v '^dummy' |
    sed -E 's/(, )?(watermark|use_clockid|build_id|clockid|exclude_guest|mmap|mmap2|mmap_data|comm|comm_exec|task|ksymbol|bpf_event|write_backward|enable_on_exec|cgroup|context_switch|namespaces): [0-9]+//g
            s/(, )?\{ wakeup_events, wakeup_watermark \}: [0-9]+//g; s/\|?(IDENTIFIER|ID|ADDR|DATA_SRC)\b//g; s/read_format: \|/read_format: /g
            s/size: [0-9]+, //; s/:ppp:/:/; s/(, )?precise_ip: [0-9]+//'
}

attrs_are_equal() { # NAME
  normalised_attrs "$1.perf" >expected
  normalised_attrs "$1.ours" >actual
  cmp -s expected actual || { different "$1: attrs"; diff expected actual | head -n 6; }
}

# perf lists build ids in a feature of their own; ours are in the mappings. Each also says what is missing.
features() { # RECORDING
  perf report --header-only -i "$1" 2>/dev/null | sed -n 's/^# \([a-z][a-z _]*[a-z]\) *:.*/\1/p' |
    grep -vE '^(captured on|header version|data offset|data size|feat offset|missing features|time of first sample|time of last sample|sample duration|event|contains)' | sort -u
}

features_are_there() { # NAME
  features "$1.perf" >expected
  features "$1.ours" >actual
  local missing
  missing=$(comm -23 expected actual | tr '\n' ' ')
  [[ ! $missing ]] || different "$1: the header lacks $missing"
}

# SAMPLES NAME of each function of the program, and "all".
functions() { # RECORDING
  perf report --stdio --no-children -g none -n -s symbol --dsos "$(basename "$workload")" -t '|' -i "$1" 2>/dev/null |
    awk -F'|' '!/^#/ && NF >= 3 { gsub(/^ +| +$/, "", $3); sub(/^\[.\] /, "", $3); n[$3] += $2; all += $2 }
               END { for (f in n) print n[f], f; print all + 0, "all" }'
}

shares_agree() { # NAME
  functions "$1.perf" >expected
  functions "$1.ours" >actual
  awk -v name="$1" '
    FNR == 1 { file++ }
    { key = $0; sub(/^[0-9]+ /, "", key); n[file, key] = $1; if (key != "all") keys[key] }
    END {
      a = n[1, "all"]; b = n[2, "all"]
      if (a < 50 || b < 50) { print "too few samples: " a ", " b; exit 1 }
      for (key in keys) {
        p = n[1, key] / a; q = n[2, key] / b; both = (n[1, key] + n[2, key]) / (a + b)
        sigma = sqrt(both * (1 - both) * (1 / a + 1 / b))
        if (p - q > 4 * sigma + 1e-9 || q - p > 4 * sigma + 1e-9) { print key ": " p " and " q ", sigma " sigma; bad = 1 }
      }
      exit bad
    }' expected actual >shares || { different "$1: shares"; cat shares; }
}

# "IP NAME" of all frames and addresses of samples.
named_addresses() { # RECORDING
  perf script -F ip,sym,dso --show-kernel-path -i "$1" 2>/dev/null |
    awk 'NF >= 2 { name = $2; sub(/\+0x[0-9a-f]+$/, "", name); print $1, name }' | sort -u
}

names_are_complete() { # NAME
  named_addresses "$1.perf" | grep -vF '[unknown]' | cut -d' ' -f1 | sort -u >named
  named_addresses "$1.ours" | grep -F '[unknown]' | cut -d' ' -f1 | sort -u >unnamed
  local missing
  missing=$(comm -12 named unnamed | head -n 3 | tr '\n' ' ')
  [[ ! $missing ]] || different "$1: perf's recording names $missing, ours does not"
  [[ -s named ]] || different "$1: perf's recording names nothing"
}

# Samples with a word in the event, the function or its callers.
samples_in() { # RECORDING WORD
  perf script -F event,ip,sym -i "$1" 2>/dev/null | grep -cF "$2"
}

# --- The pairs

checked() { # NAME [shares] [names]
  local name=$1 before=$failures check
  shift
  [[ -s $name.ours ]] || { different "$name: no recording"; head -n 3 "$name.errors"; return; }
  reads_quietly perf "$name.ours"
  [[ ! ${PERFSIFT_NEWER_PERF:-} ]] || reads_quietly "$PERFSIFT_NEWER_PERF" "$name.ours"
  attrs_are_equal "$name"
  features_are_there "$name"
  for check; do
    case $check in
      shares) shares_agree "$name" ;;
      names) names_are_complete "$name" ;;
    esac
  done
  ((failures > before)) || echo "equal: $name"
}

# Both recorders, one after the other.
pair() { # NAME OPTION… -- COMMAND…
  local name=$1
  shift
  record "$name.perf" "$@" || return
  "${recording_alone[@]}" "$perfsift" record -q -o "$name.ours" "$@" >/dev/null 2>"$name.errors" </dev/null
}
recording_alone=()
[[ ! ${PERFSIFT_RECORDING_LOCK:-} ]] || recording_alone=(flock "$PERFSIFT_RECORDING_LOCK")

spin=(-- "${fixed[@]}" "$workload" spin "$spins")
clock=(-e cpu-clock -F 5000)
pair callchains "${clock[@]}" -g "${spin[@]}" && checked callchains shares names
pair dwarf "${clock[@]}" --call-graph dwarf,4096 "${spin[@]}" && checked dwarf shares names
pair all_cpus "${clock[@]}" -a "${spin[@]}" && checked all_cpus shares
pair one_cpu "${clock[@]}" -C 0 -- taskset -c 0 "${fixed[@]}" "$workload" spin "$spins" && checked one_cpu shares
pair group -e '{cpu-clock,page-faults}' -c 200000 "${spin[@]}" && checked group shares
pair read_group -e '{cpu-clock,page-faults}:S' -F 5000 "${spin[@]}" && checked read_group shares
pair compressed "${clock[@]}" -z -g "${spin[@]}" && checked compressed shares names
pair switches "${clock[@]}" --switch-events "${spin[@]}" && checked switches shares
pair cgroups "${clock[@]}" --all-cgroups -a "${spin[@]}" && checked cgroups shares
pair overwritten "${clock[@]}" --overwrite "${spin[@]}" && checked overwritten shares
pair registers "${clock[@]}" -I --user-regs=ip,SP -P "${spin[@]}" && checked registers shares
pair some_registers "${clock[@]}" -Iax,r8 -R --sample-identifier "${spin[@]}" && checked some_registers shares
pair half_chains "${clock[@]}" -g --user-callchains "${spin[@]}" && checked half_chains shares names
pair running_time -e '{cpu-clock,page-faults}:S' -F 5000 --running-time "${spin[@]}" && checked running_time shares
pair delayed "${clock[@]}" -D 5 "${spin[@]}" && checked delayed shares

pair shell "${clock[@]}" -g -- "${fixed[@]}" bash -c 'for i in {1..40}; do ls / | grep -c x; done; true' && checked shell names
pair threads -e task:task_newtask,cpu-clock -c 100000 -- "${fixed[@]}" "$workload" threads 2000 && checked threads

# A READ record for each thread that ends, and each CPU.
counted_threads() { perf report -D -i "$1" 2>/dev/null | grep -c 'PERF_RECORD_READ:'; }
pair thread_counts -s "${clock[@]}" -- "${fixed[@]}" "$workload" threads 200 && {
  checked thread_counts
  for side in perf ours; do
    count=$(counted_threads thread_counts.$side)
    ((count == 200 * $(nproc))) || different "thread_counts.$side: $count counts of 200 threads on $(nproc) CPUs"
  done
}

# Several threads of the recorder, and a file for each ring.
files_of() { find "$1" -type f -printf '%f %m\n' | sort; }
same_files() { # NAME
  files_of "$1.perf" >expected
  files_of "$1.ours" >actual
  cmp -s expected actual || { different "$1: files"; diff expected actual; }
}
for options in "" -z; do
  # shellcheck disable=SC2086
  pair apart$options "${clock[@]}" --threads $options -g "${spin[@]}" && checked apart$options shares names && same_files apart$options
done
for spec in core package numa "0-$(($(nproc) - 1))/0"; do
  name=apart_${spec//\//_}
  pair "$name" "${clock[@]}" -a "--threads=$spec" "${spin[@]}" && checked "$name" shares && same_files "$name"
done

# Period 1: each event is a sample.
pair breakpoint -e "mem:$watched:w" -c 1 -d -m 4M -- "${fixed[@]}" "$workload" writes 3000 && {
  checked breakpoint shares names
  for side in perf ours; do
    count=$(samples_in breakpoint.$side write_watched)  # the kernel writes there, too, while it loads the program
    ((count == 3000)) || different "breakpoint.$side: $count of 3000 writes"
  done
}
pair faults -e page-faults -c 1 -d -m 4M -- "${fixed[@]}" "$workload" faults 3000 && {
  checked faults names
  for side in perf ours; do
    count=$(samples_in faults.$side '::fault')
    ((count == 3000)) || different "faults.$side: $count of 3000 pages"
  done
}
pair forks -e task:task_newtask -c 1 -g -- "${fixed[@]}" "$workload" threads 200 && {
  checked forks names
  for side in perf ours; do
    count=$(samples_in forks.$side task:task_newtask)
    ((count == 200)) || different "forks.$side: $count of 200 threads"
  done
}

# --- Attached: the program begins after the recorder has said that it counts.

attach() { # OUTPUT RECORDER USER OPTION: the option without a value gets the number of the process
  local output=$1 recorder=$2 user=$3 recorder_pid
  local options=("${@:4}")
  coproc waiting { exec setpriv --reuid "$user" --clear-groups "${fixed[@]}" "$workload" spin "$spins" wait; }
  local pid=$waiting_PID to=${waiting[1]}
  read -r <&"${waiting[0]}"
  ((${#options[@]} > 1)) || options+=("$pid")
  rm -f commands acks && mkfifo commands acks
  "$recorder" record -q -o "$output" "${clock[@]}" -g "${options[@]}" -D -1 --control fifo:commands,acks \
    >/dev/null 2>"$output.errors" &
  recorder_pid=$!
  local commands acks
  exec {commands}<>commands {acks}<>acks
  echo enable >&"$commands"
  read -r -t 60 <&"$acks" || different "$output: no acknowledgement"
  echo >&"$to"
  wait "$pid" 2>/dev/null
  wait "$recorder_pid"
  exec {commands}>&- {acks}>&-
}

attached() { # NAME USER OPTION…
  attach "$1.perf" perf "${@:2}"
  attach "$1.ours" "$perfsift" "${@:2}"
  checked "$1" shares names
}
chmod a+x . "$workload" 2>/dev/null
attached process 0 -p
attached thread 0 -t
cp "$workload" . && workload=$PWD/$(basename "$workload")  # where every user may execute it
attached user 65534 -u 65534

# --- Standard output

perf record -q -o - "${clock[@]}" -g "${spin[@]}" 2>/dev/null >piped.perf
"$perfsift" record -q -o - "${clock[@]}" -g "${spin[@]}" 2>piped.errors | cat >piped.ours
reads_quietly perf piped.ours
shares_agree piped
names_are_complete piped

# --- A cgroup

# Where perf looks: cgroupfs_find_mountpoint() in tools/lib/api/fs/cgroup.c.
groups=$(awk '$3 == "cgroup" && $4 ~ /(^|,)perf_event(,|$)/ { print $2; exit }' /proc/mounts)
[[ $groups ]] || groups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=perfsift_test_$$
if [[ $groups ]] && mkdir "$groups/$group" 2>/dev/null; then
  # shellcheck disable=SC2016
  pair cgroup "${clock[@]}" -a -G "$group" -- \
    sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$groups/$group" "${fixed[@]}" "$workload" spin "$spins" &&
    checked cgroup shares
  rmdir "$groups/$group"
else
  echo "not compared: a cgroup cannot be made here"
fi

conclude
