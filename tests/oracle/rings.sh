#!/bin/bash
# perfsift rings must receive or count every event that a BPF program sends, and show what was sent.
#
#   rings.sh PERFSIFT RINGS_SENDER RINGS_SENDER_OBJECT [READER...]
#
# READER: programs that read by the library, as examples/bpf_payloads.cpp does.
#
# Exit status: 0 all is well, 1 something is not, 77 when BPF programs cannot be loaded here.
set -u
perfsift=$(realpath -e "$1") && sender=$(realpath -e "$2") && object=$(realpath -e "$3") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

refused() { # STATUS PATTERN ARGUMENTS…: the message and the exit status of perfsift rings
  local status=0
  timeout 20 "$perfsift" rings "${@:3}" >output 2>errors || status=$?
  [[ $status == "$1" ]] || bad "rings ${*:3}: status $status instead of $1"
  head -n 1 errors | grep -qE -- "$2" || { bad "rings ${*:3}: no message has '$2':"; head -n 3 errors; }
}

coproc SENDER { exec "$sender" "$object" 2>sender.errors; }
sender_pid=$SENDER_PID
read -r -t 60 array buffer <&"${SENDER[0]}" || skip "$(head -n 1 sender.errors)"
exec {orders}>&"${SENDER[1]}" {answers}<&"${SENDER[0]}"
eval "exec ${SENDER[1]}>&-" # the other descriptor is closed to end the sender

# The sums of all events so far, in `sent`: CPU array_sent array_failed buffer_sent buffer_failed.
send() { # EVENTS: for each CPU [ORDER]
  echo "${2:-send} $1" >&"$orders"
  local line
  : >sent
  while read -r -t 120 line <&"$answers" && [[ $line != done ]]; do echo "$line" >>sent; done
}

start_reader() { # ARGUMENTS…: in the background; returns when the map has its events
  "$perfsift" rings "$@" >output 2>errors &
  reader=$!
  sleep 1
}
stop_reader() {
  kill -TERM $reader
  wait $reader || { bad "the reader ended with status $?"; cat errors; }
}

# What was sent since `before`, what was received, what perfsift says, and the content of each event.
judge() { # WHAT array|buffer
  python3 - "$2" <<'END' || bad "$1"
import json, re, sys
kind = sys.argv[1]
columns = (1, 2) if kind == "array" else (3, 4)
def read(name):
    return {int(line.split()[0]): [int(line.split()[i]) for i in columns] for line in open(name)}
before, after = read("before"), read("sent")
sent = {cpu: after[cpu][0] - before[cpu][0] for cpu in after}
failed = {cpu: after[cpu][1] - before[cpu][1] for cpu in after}
wrong = 0
received = {cpu: [] for cpu in after}
def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value
for line in open("output"):
    event = json.loads(line)
    fields = event["fields"]
    n, cpu = fields["number"], fields["cpu"]
    received[cpu].append(n)
    expected = {
        "number": n, "cpu": cpu, "state": ["IDLE", "WAITING", "FAILED"][n % 3], "name": "worker\\n\\x1b[31m",
        "from_x": -(n & 255), "from_y": signed(n, 32), "hops_0_x": 1, "hops_0_y": 0, "hops_1_x": 0, "hops_1_y": -2,
        "kind": n & 7, "delta": -1 - (n & 7) , "wide": (0x123456789 + n) & ((1 << 40) - 1),
        "address": hex(0xffff800000000000 + n), "sizes": [1, 20, 300], "any_word": 0x01020304,
        "any_bytes": [4, 3, 2, 1], "is_last": n % 2 == 1}
    if fields != expected or (kind == "array" and event["cpu"] != cpu):
        wrong += 1
        if wrong < 3: print("DIFFERENT:", fields, expected)
    if kind == "array" and event["pid"] != int(open("sender").read()): wrong += 1
text = open("errors").read()
for cpu, numbers in received.items():
    if len(set(numbers)) != len(numbers): wrong += 1; print("CPU", cpu, "has an event twice")
    if numbers != sorted(numbers): wrong += 1; print("CPU", cpu, "is not in order")
    if kind == "array":
        told = re.search(rf"CPU {cpu}: (\d+) received, (\d+) lost", text)
        lost = int(told[2])
        wrong += int(told[1]) != len(numbers)
    else:
        lost = failed[cpu]
    wrong += failed[cpu] != lost
    wrong += len(numbers) + lost != sent[cpu]
    print(f"CPU {cpu}: {sent[cpu]} sent, {failed[cpu]} failed, {len(numbers)} received, {lost} lost")
sys.exit(wrong != 0)
END
}
# The same for a program that prints the numbers: each CPU has its own, so two CPUs print a number twice.
judge_numbers() { # array|buffer
  python3 - "$1" <<'END'
import collections, re, sys
first = 1 if sys.argv[1] == "array" else 3
def sums(name):
    return [sum(int(line.split()[column]) for line in open(name)) for column in (first, first + 1)]
sent, failed = (after - before for before, after in zip(sums("before"), sums("sent")))
numbers = collections.Counter(map(int, open("output")))
told = [re.search(r"(\d+) received, (\d+|an unknown number of) lost", line) for line in open("errors") if "received" in line]
received = sum(int(ring[1]) for ring in told)
lost = sum(int(ring[2]) for ring in told) if sys.argv[1] == "array" else "an unknown number"
cpus = sum(1 for _ in open("sent"))
print(f"{sent} sent, {failed} failed, {numbers.total()} printed, {received} received, {lost} lost")
ok = received == numbers.total() and received + failed == sent and received > 0 and max(numbers.values()) <= cpus
sys.exit(not (ok and lost in (failed, "an unknown number")))
END
}
# What was sent before is not received any more.
begin_anew() {
  send 0 && cp sent before
  timeout 20 "$perfsift" rings "id:$buffer" -q --max-time 300ms >output
}

echo $sender_pid >sender
for kind in array buffer; do
  id=${!kind}
  echo "== $kind: a reader that reads"
  begin_anew
  start_reader "id:$id" --json
  send 20000
  sleep 1
  stop_reader
  judge "$kind" $kind

  echo "== $kind: a reader that sleeps while the ring is filled"
  begin_anew
  small=()
  [[ $kind == buffer ]] || small=(-m 64K)
  start_reader "id:$id" --json --type event "${small[@]}"
  kill -STOP $reader
  send 20000
  kill -CONT $reader
  sleep 1
  send 10 # fits again
  sleep 1
  stop_reader
  judge "$kind with a reader that sleeps" $kind
  [[ $(awk '{lost += $3 + $5} END {print (lost > 0)}' sent) == 1 ]] || bad "nothing was lost, so the test shows nothing"
done

echo "== a recording"
start_reader "id:$array" -o events.data
send 300
sleep 1
stop_reader
perf script -i events.data -F trace >perf.text 2>perf.errors || { bad "perf script"; cat perf.errors; }
"$perfsift" script -F trace events.data >our.text
# perf prints arrays and control characters in other ways.
perl -0pe 's/name=worker\n\e\[31m/NAME/g; s/(sizes|any_bytes)=[0-9 ]+ /LIST /g; s/^ +//mg; s/ +$//mg' perf.text >expected
perl -pe 's/name=worker\\n\\x1b\[31m/NAME/; s/(sizes|any_bytes)=\S+ /LIST /g; s/^ +//; s/ +$//' our.text >actual
grep -q 'state=FAILED NAME from_x=-[1-9]' actual || bad "negative numbers"
expect_equal "perf script and perfsift script of the fields"
start_reader "id:$array"
send 300
sleep 1
stop_reader
# The same fields as in a recording, printed at once. A line has another number than before.
sed -n 's/^.*tid [0-9]* *number=[0-9]* cpu/cpu/p' output | head -n 1 >live
grep -q 'name=worker\\n\\x1b\[31m' live && grep -q 'any_bytes={0x4,0x3,0x2,0x1}' live || { bad "the text"; cat live; }
"$perfsift" script -F trace --filter 'kind == 5 && name == "worker*"' events.data | grep -c 'kind=5' >actual
"$perfsift" script -F trace events.data | grep -c 'kind=5' >expected
expect_equal "fields in filters"
"$perfsift" filter -q --filter 'delta == -3' -o filtered.data events.data
perf script -i filtered.data -F trace 2>perf.errors | grep -c delta=-3 >actual
grep -c delta=-3 our.text >expected
expect_equal "a filtered recording in perf"
"$perfsift" report -q --sort comm events.data >output 2>errors
grep -q " $(basename "$sender")$" output || { bad report; cat errors; head output; }
"$perfsift" export -q --to jsonl -o events.jsonl events.data && [[ -s events.jsonl ]] || bad export

echo "== filters, limits, bytes"
start_reader "id:$array" --json --filter 'kind == 5 && bpf:rings_array.cpu == 0' --count 20
send 300
wait $reader || bad "--count: status $?"
[[ $(grep -c '"kind":5' output) == 20 && $(wc -l <output) == 20 ]] || { bad "--filter and --count"; head -n 3 output errors; }
timeout 20 "$perfsift" rings "id:$buffer" -q --max-time 1s >output || bad "--max-time: status $?"
refused 2 'kin' "id:$array" --type event --filter 'kin == 5' --max-time 1s
refused 2 'does not say the comm' "id:$array" --filter 'comm == "a"'
refused 2 'does not say the cpu' "id:$buffer" --filter 'cpu == 0'

echo "== payloads of 100,000 bytes"
begin_anew
start_reader "id:$buffer" --json
send 1 long
sleep 1
stop_reader
received=$(grep -c '"bytes":"07000000' output)
((received > 0)) && grep -q "^perfsift: $received received.*, $received are cut: a record holds 64 KiB" errors ||
  { bad "long payloads: $received"; cut -c 1-200 output errors; }

echo "== readers"
"$perfsift" rings --list >output || bad "--list"
for name in rings_array rings_buffer; do
  grep -qE "^[0-9]+ +$name .* send \(id [0-9]+\).*$(basename "$sender") $sender_pid" output || { bad "--list: $name"; cat output; }
done
start_reader rings_array --json
refused 2 "is read by perfsift \($reader\).*--take" rings_array
"$perfsift" rings --list | grep -q "perfsift $reader (reads)" || bad "--list: who reads"
stop_reader
send 100
start_reader rings_buffer --peek --json
peeking=$reader
sleep 1
cp output peeked
kill -TERM $peeking
wait $peeking || bad "--peek: status $?"
timeout 20 "$perfsift" rings "id:$buffer" -q --json --max-time 1s >output
jq_fields() { python3 -c 'import json, sys; [print(json.dumps(json.loads(line)["fields"])) for line in sys.stdin]'; }
jq_fields <peeked >actual && jq_fields <output >expected
expect_equal "what was peeked at is still there"
start_reader rings_buffer --json
refused 2 "is read by perfsift \($reader\).*--peek" rings_buffer
stop_reader

for kind in array buffer; do # a program for each
  program=${4:-}
  [[ $program ]] && shift || break
  echo "== a program that uses the library: ${program##*/}"
  begin_anew
  "$program" "id:${!kind}" number 3 >output 2>errors &
  reader=$!
  sleep 1
  send 20000
  wait $reader || { bad "${program##*/}: status $?"; cat errors; }
  judge_numbers "$kind" || bad "${program##*/} with the $kind"
  status=0
  "$program" rings_arrax number 1 >output 2>errors || status=$?
  [[ $status == 1 ]] && grep -q 'did you mean rings_array' errors || { bad "${program##*/} without a map"; cat errors; }
  start_reader rings_array --json
  status=0
  "$program" rings_array number 1 >output 2>program.errors || status=$?
  [[ $status == 1 ]] && grep -q "is read by perfsift ($reader).*take_over" program.errors ||
    { bad "${program##*/} beside a reader"; cat program.errors; }
  stop_reader
done

echo "== what cannot be read"
refused 2 'did you mean rings_array' rings_arrax
refused 2 'is a map of the type percpu_array' rings_counts
refused 2 'there is no such map' id:4000000000
refused 2 'id:N' id:x
refused 2 'no such type.*did you mean event' rings_array --type evnt
refused 2 'one MAP is needed'
refused 2 'there is no such map' /sys/fs/bpf/no_such_map
if ((EUID == 0)) && mkdir pinned && mount -t bpf bpf pinned 2>/dev/null; then
  if bpftool map create pinned/lonely type ringbuf key 0 value 0 entries 4096 name lonely 2>/dev/null; then
    refused 2 'type event: .*no loaded program uses the map' pinned/lonely --type event
    "$perfsift" rings pinned/lonely -q --max-time 200ms --filter 'x == 1' -o none.data || bad "a recording of nothing"
    "$perfsift" info -q none.data >output || bad "a recording of nothing cannot be read"
  fi
  umount pinned
fi
if ((EUID == 0)) && command -v setpriv >/dev/null; then
  chmod a+rx . && cp "$perfsift" reader
  for words in rings_array --list "id:$array"; do
    setpriv --reuid 65534 --regid 65534 --clear-groups ./reader rings $words >output 2>errors && bad "$words without root"
    grep -q 'need root, or CAP_SYS_ADMIN' errors || { bad "$words without root:"; cat errors; }
  done
fi

exec {orders}>&-
wait $sender_pid
for _ in {1..50}; do "$perfsift" rings --list | grep -q "^$array " || break; sleep 0.1; done # the kernel frees maps later
refused 2 'there is no such map' "id:$array"
conclude
