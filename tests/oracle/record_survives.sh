#!/bin/bash
# perfsift record when something goes wrong: killed, stopped, out of room, refused, or among hostile files.
#
#   record_survives.sh PERFSIFT WORKLOAD        WORKLOAD: record_workload
#
# $LONG: more and longer. Exit status: 0 all is well, 1 something is not, 77 when there is no perf 6.1 that can record.
set -u
perfsift=$(realpath -e "$1") && workload=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin
chmod a+rx . && cp "$perfsift" perfsift && cp "$workload" workload && perfsift=$PWD/perfsift && workload=$PWD/workload

is_status() { # WHAT EXPECTED ACTUAL
  [[ $2 == "$3" ]] || { bad "$1: status $3 instead of $2"; head -n 3 errors; }
}
says() { # WHAT PATTERN: in `errors`
  grep -q "$2" errors || { bad "$1: no message has '$2':"; head -n 3 errors; }
}

# Without addresses, perf unwinds no stacks, which takes long.
perf_reads() { perf script -F comm,tid,time,event -i "$1" >/dev/null 2>read.errors || grep -q 'has no samples' read.errors; }
we_read() { "$perfsift" report -q "$1" >/dev/null 2>read.errors; }
is_readable() { # WHAT RECORDING
  perf_reads "$2" || { bad "$1: perf script"; head -n 3 read.errors; }
  we_read "$2" || { bad "$1: perfsift report"; head -n 3 read.errors; }
}

# --- Killed at any moment

kill_at() { # SECONDS OPTION…
  local after=$1 pid
  rm -f killed.data
  "$perfsift" record -q -o killed.data -a -e cpu-clock -F 20000 "${@:2}" 2>/dev/null &
  pid=$!
  sleep "$after"
  kill -KILL $pid
  wait $pid 2>/dev/null
  [[ -e killed.data ]] || return
  with_file=$((with_file + 1))
  # perf cannot read compressed records if the recorder was killed while it wrote: the header's features stand behind.
  if [[ " $* " == *' -z '* ]]; then
    we_read killed.data || bad "killed after $after s, compressed"
    perf_reads killed.data || unread=$((unread + 1))
  else
    is_readable "killed after $after s" killed.data
  fi
}
with_file=0 unread=0 rounds=${LONG:+300}
for ((round = 0; round < ${rounds:-30}; ++round)); do
  options=(-g)
  ((round % 3 != 1)) || options=(-g -z)
  ((round % 3 != 2)) || options=(--call-graph dwarf -m 1M)
  kill_at "0.$((RANDOM % 7))$((RANDOM % 10))" "${options[@]}"
done
((with_file > 0)) || bad "no killed recorder left a file"
((unread <= with_file / 6)) || bad "killed: perf reads $unread compressed recordings less"
echo "killed: $with_file of ${rounds:-30} left a file; perf does not read $unread of a third of them"
! pgrep -f "^$perfsift record" >/dev/null || bad "a recorder is left"

# A folder: only a record that was cut, at the end of a file, keeps perf from reading.
with_folder=0 unread=0
for ((round = 0; round < ${rounds:-30}; ++round)); do
  options=(-g)
  ((round % 2 == 0)) || options=(-g -z)
  rm -rf killed.folder
  "$perfsift" record -q -o killed.folder --threads -a -e cpu-clock -F 20000 "${options[@]}" 2>/dev/null &
  pid=$!
  sleep "0.$((RANDOM % 7))$((RANDOM % 10))"
  kill -KILL $pid
  wait $pid 2>/dev/null
  [[ -e killed.folder/data ]] || continue
  with_folder=$((with_folder + 1))
  we_read killed.folder || bad "killed: the folder is not readable: $(head -n 1 read.errors)"
  perf_reads killed.folder || unread=$((unread + 1))
done
((with_folder > 0)) || bad "no killed recorder left a folder"
((unread <= with_folder / 6)) || bad "killed: perf does not read $unread of $with_folder folders"
echo "killed: $with_folder of ${rounds:-30} left a folder; perf does not read $unread of them"

# After a second, samples are there.
"$perfsift" record -q -o late.data -e cpu-clock -F 5000 "$workload" spin 2000000 2>/dev/null &
recorder=$!
for ((wait = 0; wait < 100; ++wait)); do
  sleep 0.2
  (($(stat -c %s late.data 2>/dev/null || echo 0) < 100000)) || break
done
kill -KILL $recorder
wait $recorder 2>/dev/null
pkill_workload() { for pid in $(pgrep -f "^$workload spin 2000000"); do kill "$pid"; done; }
pkill_workload
is_readable "killed late" late.data
(($(perf script -i late.data 2>/dev/null | grep -c cpu-clock) > 500)) || bad "killed late: hardly a sample"

# --- The command and the target

echo old >kept.data
"$perfsift" record -q -o kept.data no_such_program 2>errors; is_status "no such program" 2 $?
says "no such program" 'no_such_program: cannot be executed: No such file'
[[ $(cat kept.data) == old && ! -e kept.data.old ]] || bad "no such program: the older file is not as it was"
echo 'no script' >plain && "$perfsift" record -q -o kept.data ./plain 2>errors; is_status "no permission" 2 $?
[[ $(cat kept.data) == old ]] || bad "no permission: the older file is not as it was"
"$perfsift" record -q -o status.data sh -c 'exit 7' 2>errors; is_status "status of the command" 7 $?
"$perfsift" record -q -o status.data sh -c 'kill -KILL $$' 2>errors; is_status "killed command" 137 $?
is_readable "killed command" status.data
"$perfsift" record -q -o gone.data -p 999999999 2>errors; is_status "no such process" 2 $?
sleep 0.5 &
"$perfsift" record -q -o ended.data -p $! 2>errors; is_status "target that ends" 0 $?
is_readable "target that ends" ended.data

# A name with escape codes reaches no terminal.
escape=$'\e]0;owned\a\e[31mred'
cp "$workload" "$escape"
"$perfsift" record -o escape.data "./$escape" spin 10 2>errors
"$perfsift" record -o escape.data "./no $escape" 2>>errors
"$perfsift" record -o "no/$escape" true 2>>errors
"$perfsift" record -o escape.data -e "$escape" true 2>>errors
"$perfsift" record -o escape.data -a --filter "$escape" -e sched:sched_switch true 2>>errors
LC_ALL=C grep -q "$(printf '[\001-\010\013-\037]')" errors && { bad "escape codes in messages"; cat -v errors; }

# --- Files of others

ln -s precious link && echo precious >precious
"$perfsift" record -q -o link true 2>errors; is_status "output is a link" 3 $?
[[ $(cat precious) == precious && -L link ]] || bad "output is a link: it was followed"
cp "$workload" own
"$perfsift" record -q -o own ./own spin 10 2>errors && bad "output is the program: accepted"
cmp -s "$workload" own || bad "output is the program: overwritten"
mkdir -m 1777 sticky && echo hers >sticky/perf.data && chown 65533 sticky/perf.data
as_nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
"${as_nobody[@]}" "$perfsift" record -q -o sticky/perf.data -e cpu-clock:u true 2>errors && bad "another user's file: accepted"
[[ $(cat sticky/perf.data) == hers ]] || bad "another user's file: changed"
[[ $(ls sticky) == perf.data ]] || bad "another user's file: $(ls sticky)"
"$perfsift" record -q -o /dev/null true 2>errors; is_status "/dev/null" 0 $?
"$perfsift" record -q -o mode.data true 2>errors
[[ $(stat -c %a mode.data) == 600 ]] || bad "mode $(stat -c %a mode.data)"

# --- A folder of --threads

folder() { "$perfsift" record -q -o folder --threads -e cpu-clock "$@" 2>errors; }
folder "$workload" spin 10; is_status "folder" 0 $?
is_readable "folder" folder
[[ $(stat -c %a folder) == 700 && $(stat -c %a folder/data) == 600 && $(stat -c %a folder/data.0) == 600 ]] || bad "modes of a folder"
folder true; is_status "folder again" 0 $?
[[ -e folder.old/data ]] || bad "folder again: the older one is not kept"
folder true; is_status "folder, a third time" 0 $?
"$perfsift" record -q -o folder -e cpu-clock true 2>errors; is_status "a file in place of a folder" 0 $?
[[ -f folder && -d folder.old ]] || bad "a file in place of a folder"
folder true; is_status "a folder in place of a file" 0 $?
[[ -d folder && -f folder.old ]] || bad "a folder in place of a file"
mkdir letters && touch letters/mine
"$perfsift" record -q -o letters --threads -e cpu-clock true 2>errors; is_status "a folder of others" 3 $?
[[ $(ls letters) == mine ]] || bad "a folder of others: $(ls letters)"
ln -s folder folder.link
"$perfsift" record -q -o folder.link --threads -e cpu-clock true 2>errors; is_status "a link to a folder" 3 $?
folder --max-size 100K -F 20000 -a -m 32K; is_status "largest folder" 0 $?
size=$(du -bs folder | cut -f1)
((size >= 100000 && size < 2000000)) || bad "largest folder: $size bytes"
for options in "-o -" --switch-output --overwrite "--flight 1s" "-o /dev/null" "--threads=foo" "--threads=0/99"; do
  # shellcheck disable=SC2086
  folder $options true >/dev/null; is_status "$options" 2 $?
done
SUDO_UID=65534 SUDO_GID=65534 folder true
[[ $(stat -c %u folder folder/data folder/data.0 | sort -u) == 65534 ]] || bad "folder: not the user's of sudo"
rm -rf folder folder.old

# --- Rights of root

capabilities() { awk '$1 == "CapEff:" { print $2 }' "/proc/$1/status"; }
if [[ $(capabilities self) == *f ]]; then
  "$perfsift" record -q -o rights.data -e cpu-clock -- sh -c 'awk "/CapEff/ { print \$2 }" /proc/self/status; sleep 1' >command.rights 2>errors &
  recorder=$!
  sleep 0.6
  [[ $(capabilities $recorder) == 0000000000000020 ]] || bad "rights: $(capabilities $recorder) instead of CAP_KILL"
  wait $recorder; is_status "rights" 0 $?
  [[ $(cat command.rights) == $(capabilities self) ]] || bad "rights: the command has $(cat command.rights)"
  # Another user's folder: each file is made there, and given to the user of sudo.
  mkdir -m 755 hers && chown 65534:65534 hers
  SUDO_UID=65534 SUDO_GID=65534 "$perfsift" record -q -o hers/perf.data -a -e cpu-clock --switch-output=200ms --max-time 1s 2>errors; is_status "switched files" 0 $?
  (($(find hers -user 65534 -name 'perf.data.*' | wc -l) >= 2)) || bad "switched files: $(ls -l hers)"
  SUDO_UID=65534 SUDO_GID=65534 "$perfsift" record -q -o hers/flight.data -a -e cpu-clock --flight 1s --max-time 2s 2>errors &
  recorder=$!
  sleep 1
  kill -USR2 $recorder
  wait $recorder; is_status "flight" 0 $?
  files=(hers/flight.data.*)
  chown 0 "${files[0]}"  # perf reads no files of other users
  is_readable "flight" "${files[0]}"
  # A command that is another user's now still gets the signal.
  "$perfsift" record -q -o user.data -e cpu-clock -- "${as_nobody[@]}" "$workload" spin 700000 2>errors &
  recorder=$!
  sleep 0.6
  kill -TERM $recorder
  wait $recorder
  ! pgrep -f "^$workload spin 700000" >/dev/null || bad "another user's command gets no signal"
fi

# --- No room, no reader

mkdir small
if mount -t tmpfs -o size=200k tmpfs small 2>/dev/null; then
  "$perfsift" record -q -o small/perf.data -e cpu-clock -F 20000 -g -m 64K "$workload" spin 400000 2>errors; is_status "full disk" 3 $?
  says "full disk" 'No space left'
  is_readable "full disk" small/perf.data
  umount small
fi
! pgrep -f "^$workload spin 400000" >/dev/null || bad "full disk: the command runs on"
"$perfsift" record -q -o /dev/full -e cpu-clock true 2>errors; is_status "/dev/full" 3 $?
for reader in true 'head -c 3000'; do
  timeout 20 bash -c '"$0" record -q -o - -e cpu-clock -F 20000 "$1" spin 600000 2>errors | '"$reader >/dev/null; exit \${PIPESTATUS[0]}" \
    "$perfsift" "$workload"
  status=$?
  ((status != 124)) || bad "closed pipe: the recorder waits for the command"
  [[ ! -s errors ]] || { bad "closed pipe: a message"; head -n 2 errors; }
done
! pgrep -f "^$workload spin 600000" >/dev/null || bad "closed pipe: the command runs on"

# --- Stopped; what is lost meanwhile is said

: >errors
"$perfsift" record -o stopped.data -e cpu-clock -F 20000 -m 32K "$workload" spin 600000 2>errors &
recorder=$!
pause=${LONG:+60}
sleep 0.5
kill -STOP $recorder
sleep "${pause:-1}"
kill -CONT $recorder
wait $recorder; is_status "stopped" 0 $?
is_readable "stopped" stopped.data
perl -ne 'print "$1 $2\n" if /(\d+) samples, (?:(\d+)|none) lost/' errors >counted
read -r samples lost <counted
((${lost:-0} > 0)) || { bad "stopped: no loss is said"; cat errors; }
# perf adds up the LOST records; what no LOST record had room for, it does not know.
((samples == $(perf script -i stopped.data 2>/dev/null | grep -c 'cpu-clock'))) || bad "stopped: perf reads another number of samples"

# --- Many threads: two descriptors for each of them and each CPU

if [[ ${LONG:-} ]]; then
  ulimit -Hn $((40100 * $(nproc))) 2>/dev/null  # where that is allowed
  threads=$((($(ulimit -Hn) - 100) / (2 * $(nproc))))
  ((threads <= 20000)) || threads=20000
else
  threads=1500
fi
coproc many { exec "$workload" many "$threads"; }
many_pid=$many_PID many_input=${many[1]}
read -r <&"${many[0]}"
(ulimit -Sn 256; exec "$perfsift" record -q -o many.data -e cpu-clock -m 16K -p "$many_pid" --max-time 1s 2>errors); is_status "$threads threads" 0 $?
is_readable "$threads threads" many.data
(ulimit -n 256; exec "$perfsift" record -q -o few.data -e cpu-clock -m 16K -p "$many_pid" --max-time 1s 2>errors); is_status "few descriptors" 3 $?
says "few descriptors" 'may have 256 open files'
exec {many_input}>&-
wait "$many_pid" 2>/dev/null

# --- Without privileges

if (($(cat /proc/sys/kernel/perf_event_paranoid) == 2)) && mkdir -m 777 nobody; then
  cd nobody || exit 1
  "${as_nobody[@]}" "$perfsift" record -e cpu-clock -F 5000 -g "$workload" spin 3000 2>../errors; is_status "unprivileged" 0 $?
  cd ..
  says "unprivileged" 'the kernel is left out'
  [[ $(stat -c %u nobody/perf.data) == 65534 ]] || bad "unprivileged: not the user's file"
  chown 0 nobody/perf.data  # perf reads no files of other users
  is_readable "unprivileged" nobody/perf.data
  perf report --stdio -s symbol -g none -i nobody/perf.data 2>/dev/null | grep -q 'work' || bad "unprivileged: no samples"
  (cd nobody && "${as_nobody[@]}" "$perfsift" record "$workload" spin 3000 2>../errors); is_status "unprivileged, no event named" 0 $?
  "${as_nobody[@]}" "$perfsift" record -o nobody/a.data -a sleep 0 2>errors && bad "unprivileged -a: accepted"
  says "unprivileged -a" 'perf_event_paranoid'
  [[ ! -e nobody/a.data ]] || bad "unprivileged -a: a file"
  "${as_nobody[@]}" "$perfsift" record -o nobody/a.data -p 1 2>errors && bad "unprivileged -p 1: accepted"
fi

conclude
