"""The command lines: what is run on which recording. A line is for sh, in a folder of its own beside ../../in.

    {in}       an input, with the options that find its files
    {file}     the recording alone
    {find}     these options alone
    {process}, {thread}: those of the recording's first sample
    -jN        a line for each number of threads

Each line below is a form; "a; b" runs two commands. A blank line and a line that begins with # are ignored; a backslash
at the end of a line joins the next one.
"""

# Forms for every recording, including damaged recordings.
CORE = """
perfsift info -jN --all {in}
perfsift info -jN --json {in}
perfsift fold -jN {in}
perfsift fold -jN --compat flamegraph {in}
perfsift fold -jN --annotate all --with-tid --addresses --unresolved --incomplete {in}
perfsift fold -jN -q {find} - <{file}
perfsift report -jN {in}
perfsift report -jN --json --limit 0 --sort comm,dso,symbol,event {in}
perfsift report -jN --tree {in}
perfsift report -jN --sort pid,tgid,cpu,time --csv {in}
perfsift flame -jN {in}
perfsift export -jN --to pprof -o out.pb {in}
perfsift export -jN --to jsonl {in}
perfsift filter -jN -o out.data {in}; perfsift script -q {find} out.data
perfsift filter -jN --dry-run --json --time 20%-70% {in}
perfsift offcpu -jN {in}
perfsift mem -jN {in}
perfsift c2c -jN {in}
perfsift view -jN --save page.html {in}
perfsift diff -jN {in} {file}
perfsift merge -jN -o runs.pb.gz {in}
perfsift script {in}
perfsift script --perf-style 6.1 --header -I {in}
perfsift script -q {find} - <{file}
"""

# More forms, for the recordings that differ most.
WHOLE = """
perfsift info -jN {in}
perfsift info -jN --header --events --stats {in}
perfsift info -jN --losses --processes --cpus --quality --json {in}
perfsift info -jN --no-quality -q {in}
perfsift info -jN --quality --max-lost 0 --max-unresolved 1 --max-truncated 0 --max-incomplete 1 --fail-empty {in}
perfsift info -jN --all --no-cache {in}
perfsift {file} {find}
perfsift report -jN --order total --limit 5 {in}
perfsift report -jN --sort time --time-quantum 10ms {in}
perfsift report -jN --html page.html {in}
perfsift report -jN --csv {in}
perfsift report -jN --json {in}
perfsift report -jN -o out.txt {in}
perfsift report -jN --tree --reversed --min-percent 5 {in}
perfsift report -jN --tree --json --depth 2 {in}
perfsift report -jN --callers main {in}
perfsift report -jN --callees main --depth 4 {in}
perfsift report -jN --annotate main {in}
perfsift report -jN --annotate work {in}
perfsift report -jN --annotate quick_sort --json {in}
perfsift report -jN --collapse-recursion {in}
perfsift report -jN --sort symbol --collapse-recursion=cycles --json {in}
perfsift fold -jN -o out.folded {in}
perfsift fold -jN --compat flamegraph --with-tid --annotate all --addresses --srcline {in}
perfsift fold -jN --min-latency 100 {in}
perfsift fold -jN --level l1 {in}
perfsift fold -jN --node 0 {in}
perfsift flame -jN -o out.html {in}
perfsift flame -jN --format html --search main {in}
perfsift flame -jN --reverse --inverted {in}
perfsift flame -jN --flamechart {in}
perfsift flame -jN --flamechart -o chart.html {in}
perfsift flame -jN --lost-frames --total 100000 --factor 2.5 {in}
perfsift flame -jN --title T --subtitle S --note a --note b --name-type Function: --count-name things {in}
perfsift flame -jN --width 800 --min-width 1% --frame-height 20 --font mono --font-size 10 {in}
perfsift flame -jN --palette-map ../../in/colours --background "#eeeeee" {in}
perfsift export -jN --to pprof --lost-frames -o out.pb {in}; perfsift report out.pb; perfsift fold -q out.pb
perfsift export -jN --to speedscope -o out.json {in}
perfsift export -jN --to firefox -o out.json {in}
perfsift export -jN --to perfetto -o out.pftrace {in}
perfsift export -jN --to callgrind -o callgrind.out {in}
perfsift export -jN --to csv {in}
perfsift export -jN --to folded {in}
perfsift merge -jN --one-run -o runs.pb.gz {in} {file}; perfsift report runs.pb.gz; perfsift merge -q -o - runs.pb.gz
perfsift view -jN --save page.html --with-pid --annotate all {in} ../../in/demo.data
perfsift diff -jN --json {in} ../../in/again.data
perfsift check -jN {in} {file}
perfsift mem -jN --folded - {in}
perfsift mem -jN --raw {in}
perfsift offcpu -jN --json {in}
perfsift filter -jN -z -o out.data {in}; perfsift fold -q {find} out.data
perfsift filter -jN -z --compression-level 9 -o out.data {in}
perfsift filter -jN -o - {in} >piped.data
perfsift filter -jN --prune --tid {thread} -o out.data {in}; perfsift info --all {find} out.data
perfsift filter -jN --anonymize-key ../../in/key -o out.data {in}; perfsift script -q {find} out.data
perfsift filter -jN --anonymize -o out.data {in}; rm -f out.data
perfsift filter -jN --split by=pid -o part.data {in}
perfsift filter -jN --split by=comm -o part.data {in}
perfsift filter -jN --split by=event -o part.data {in}
perfsift filter -jN --split by=cgroup -o part.data {in}
perfsift filter -jN --split by=time:50ms -o part.data {in}
perfsift filter -jN --json --filter 'depth > 2' -o out.data {in}
perfsift filter -jN -C 0 --fail-empty --max-lost 0 -o out.data {in}
perfsift export --to folded {in} | perfsift flame -
perfsift export --to jsonl {in} | perfsift report -
perfsift script -q {in} >text; perfsift fold text; perfsift report --json text; perfsift flame text; perfsift info text
perfsift fold -q {in} >folded; perfsift fold folded; perfsift report --tree folded; perfsift export --to pprof -o \
x.pb folded
script -qec "stty cols 100 rows 30; perfsift report {in} 2>/dev/null; perfsift info {in} 2>/dev/null" /dev/null
perf script -i {file} --dlfilter $PERFSIFT_BUILD/perfsift-fold.so
perf script -i {file} --dlfilter $PERFSIFT_BUILD/perfsift-jsonl.so
/usr/bin/python3 -B $PERFSIFT_TOOLS/columns.py {in}
perf_to_profile -i {file} -o out.pb
"""

SCRIPT = """
perfsift script -F comm,pid,tid,cpu,time,event,ip,sym,dso {in}
perfsift script --skip-missing-fields -F +period,+addr,+weight,+data_src,+phys_addr,+misc,+cgroup,+ins_lat {in}
perfsift script --skip-missing-fields -F +iregs,+uregs,+data_page_size,+code_page_size,+retire_lat,+tod {in}
perfsift script --skip-missing-fields -F comm,brstack,brstacksym,brstackoff,bpf-output,trace,ibs {in}
perfsift script -F +srcline {in}
perfsift script -F ip,sym,symoff,srcline,dso --full-source-path {in}
perfsift script -F trace:comm,trace -F sw:comm,ip,sym {in}
perfsift script -F -comm,-event {in}
perfsift script -F addr {in}
perfsift script -G {in}
perfsift script --max-stack 2 --no-inline {in}
perfsift script --stop-bt main,work {in}
perfsift script --ns {in}
perfsift script --reltime {in}
perfsift script --deltatime {in}
perfsift script --no-demangle --perf-style new {in}
perfsift script --header-only {in}
perfsift script --show-task-events --show-mmap-events --show-switch-events --show-namespace-events {in}
perfsift script --show-cgroup-events --show-lost-events --show-bpf-events --show-text-poke-events --show-round-events \
{in}
perfsift script --itrace M {in}
perfsift script --itrace i {in}
perfsift script --filter 'depth > 3 && cpu == 0' {in}
perfsift script --filter-file ../../in/filter --comms b,sorter {in}
perfsift script --pid {process} --tid {thread} -C 0 --time 0%-50% {in}
perfsift script -S main --dsos libc.so.6 {in}
perfsift script -e cpu-clock --max-lost 0 --fail-empty --max-unresolved 0 --max-truncated 0 --max-incomplete 0 {in}
perfsift script --level l1 --min-latency 5 --node 0 {in}
perfsift script --no-cache -f {in}
perfsift script --dlfilter perfsift-filter.so --dlarg 'depth > 2' {in}
perfsift script --dlfilter perfsift-filter.so --dlarg 'tid == {thread}' --dlfilter-api v0 {in}
perfsift script --dlfilter perfsift-fold.so {in}
perfsift script --dlfilter perfsift-fold.so --dlarg --annotate=all --dlarg --with-tid --dlarg --output=out {in}
perfsift script --dlfilter perfsift-jsonl.so {in}
perfsift script --dlfilter perfsift-jsonl.so --dlarg --no-stack --dlarg --filter --dlarg 'cpu == 0' {in}
perfsift script --dlfilter perfsift-mem.so --dlfilter-api v1 {in}
perfsift script --dlfilter perfsift-offcpu.so --dlfilter-api v2 {in}
perfsift script --dlfilter $PERFSIFT_BUILD/perfsift-filter.so --dlarg 'cpu == 0' --dlfilter perfsift-jsonl.so {in}
perfsift dlfilter test $PERFSIFT_BUILD/perfsift-filter.so --dlarg 'cpu == 0' {file}
"""

MEMORY = """
perfsift mem -jN --json {in}
perfsift mem -jN --csv {in}
perfsift mem -jN --histogram {in}
perfsift mem -jN --order samples --limit 3 {in}
perfsift mem -jN --raw --json {in}
perfsift mem -jN --raw --csv {in}
perfsift mem -jN --folded out.folded --weight samples {in}
perfsift mem -jN --sort mem,symbol,dso --json -o out.json {in}
perfsift mem -jN --sort symbol_daddr,dcacheline --csv --limit 0 {in}
perfsift mem -jN --min-latency 50 --level l3 {in}
perfsift mem -jN --node 1 --filter 'mem.op == load' {in}
perfsift mem -jN --fail-empty --comms nobody {in}
perfsift c2c -jN --json {in}
perfsift c2c -jN --csv --limit 0 {in}
perfsift c2c -jN --limit 2 -o out.txt {in}
perfsift c2c -jN --fail-empty --level remote_ram {in}
perfsift script --dlfilter perfsift-mem.so --dlarg --json {in}
perfsift script --dlfilter perfsift-mem.so --dlarg --order=samples --dlarg --limit=2 --dlarg --level=l1 {in}
perf script -i {file} --dlfilter $PERFSIFT_BUILD/perfsift-mem.so
"""

OFFCPU = """
perfsift offcpu -jN -o - {in}
perfsift offcpu -jN -o out.folded --unit ns --delimiter --waker {in}
perfsift offcpu -jN -o - --unit count --delimiter=x --split state {in}
perfsift offcpu -jN -o - --split wait {in}
perfsift offcpu -jN -o - --split cgroup {in}
perfsift offcpu -jN -o - --wall-clock {in}
perfsift offcpu -jN --wall-clock -o - --ignore-idle --tid {thread} {in}
perfsift offcpu -jN --rows 3 --no-inline {in}
perfsift offcpu -jN --ignore-idle {in}
perfsift offcpu -jN --idle-list ../../in/idle --ignore-idle {in}
perfsift offcpu -jN --csv intervals.csv {in}
perfsift offcpu -jN --csv - {in}
perfsift offcpu -jN --timehist {in}
perfsift offcpu -jN --spikes-over 2ms {in}
perfsift offcpu -jN --spikes-over 5ms --json {in}
perfsift offcpu -jN --spikes-over 5ms --cut-to spike-%n.data --around 1ms {in}
perfsift offcpu -jN --spikes-over 5ms --cut-to spikes.data {in}
perfsift offcpu -jN --comms waits,program -u {in}
perfsift offcpu -jN -p {process} --min-block 100us --max-block 1s {in}
perfsift offcpu -jN --pids {process} --tids {thread} {in}
perfsift offcpu -jN -t {thread} --state S,D {in}
perfsift offcpu -jN -k --state 2 {in}
perfsift offcpu -jN --filter 'blocked > 50us && wait == lock' --json {in}
perfsift offcpu -jN --filter 'waker has "*wake*"' --fail-empty {in}
perfsift offcpu -jN --filter-file ../../in/filter --unresolved --incomplete {in}
perfsift offcpu --live {find} - <{file}
perfsift offcpu --live --spikes-over 5ms --prometheus metrics --prometheus-factor 1.5 --prometheus-series 2 {find} - \
<{file}
perfsift offcpu --live --json {find} - <{file}
perfsift script --dlfilter perfsift-offcpu.so --dlarg --json {in}
perfsift script --dlfilter perfsift-offcpu.so --dlarg --output=- --dlarg --waker --dlarg --split=wait {in}
perf script -i {file} --dlfilter $PERFSIFT_BUILD/perfsift-offcpu.so
"""

# Forms with two inputs or more: see of_pair().
PAIRS = """
perfsift diff -jN {a} {b}
perfsift diff -jN --json {a} {b}
perfsift diff -jN --csv {a} {b}
perfsift diff -jN --folded {a} {b}
perfsift diff -jN -o out.svg {a} {b}
perfsift diff -jN -o out.html --title T --subtitle S --note n --reverse --negate {a} {b}
perfsift diff -jN -o out.svg --width 700 --min-width 2 --frame-height 15 --font x --font-size 9 --background blue \
--inverted {a} {b}
perfsift diff -jN -o out.svg --search main --name-type N --count-name c --factor 2 {a} {b}
perfsift diff -jN --absolute --exact-names --order total --limit 4 {a} {b}
perfsift diff -jN --sort comm {a} {b}
perfsift diff -jN --sort dso,event --csv {a} {b}
perfsift diff -jN --sort srcfile --json {a} {b}
perfsift diff -jN --before {a} --after {b} --weight samples --interrupts drop {a} {b}
perfsift diff -jN --before {a} {b} --after {b} --user-only
perfsift diff --folded {a} {b} | perfsift flame --negate -
perfsift check -jN {a} {b}
perfsift check -jN --json {a} {b}
perfsift check -jN -o out.txt --markdown out.md --junit out.xml --sarif out.sarif --annotations gitlab:out.json --svg \
out.svg {a} {b}
perfsift check -jN --annotations github {a} {b}
perfsift check -jN --annotations azure {a} {b}
perfsift check -jN --annotations teamcity {a} {b}
perfsift check -jN --level 20% --min-effect 0.1% --min-ratio 1% --min-samples 5 --exact-names {a} {b}
perfsift check -jN --interrupts keep --undecided fail --allow lost,throttled,cut,unnamed,spread,few,stacks,build {a} {b}
perfsift check -jN --budget ../../in/budget {a} {b}
perfsift check -jN --budget ../../in/budget --json {b}
perfsift check -jN --budget ../../in/budget --junit out.xml --sarif out.sarif --markdown out.md {b}
perfsift check -jN --per run --baseline {a} {b} --candidate {b} {a}
perfsift check -jN --kernel-only --no-inline --max-stack 5 --repair-stacks --demangle full -e cpu-clock {a} {b}
perfsift check --save-baseline stored.pb.gz --save-anyway {a} {b}; perfsift check --json stored.pb.gz {b}; rm -f \
stored.pb.gz
perfsift merge -jN -o runs.pb.gz {a} {b}; perfsift check --allow spread runs.pb.gz {a}; perfsift diff runs.pb.gz {b}
perfsift merge -jN --one-run --weight samples --no-inline -o - {a} {b}
perfsift view -jN --save page.html {a} {b}
perfsift report -jN {a} {b}
perfsift report -jN --csv --sort event,symbol {a} {b}
perfsift fold -jN --files-from ../../in/list {a}
perfsift export -jN --to pprof --labels all -o out.pb {a} {b}
perfsift export -jN --to speedscope {a} {b}
perfsift flame -jN {a} {b}
"""

# Forms without a recording of the lists above.
ALONE = """
perfsift
perfsift --help
perfsift --version
perfsift help
perfsift no_command
perfsift --json ../../in/demo.data
perfsift report
perfsift report missing.data
perfsift report --no-such-option ../../in/demo.data
perfsift report --json --csv ../../in/demo.data
perfsift report --sort nonsense ../../in/demo.data
perfsift report --limit -1 ../../in/demo.data
perfsift report --annotate no_function ../../in/demo.data
perfsift report --callers '*sort*' --symfs ../../in/symfs ../../in/demo.data
perfsift report --filter 'comm = 3 &&' ../../in/demo.data
perfsift report --filter 'nothing == 3' ../../in/demo.data
perfsift report ../../in
perfsift fold ../../in/demo.data -o ../../in/demo.data
perfsift fold -o out.svg ../../in/demo.data
perfsift fold -o no/folder ../../in/demo.data
perfsift flame --palette nonsense ../../in/demo.data
perfsift flame --search '(' ../../in/demo.data
perfsift export ../../in/demo.data
perfsift export --to nonsense ../../in/demo.data
perfsift export --to pprof --labels nonsense ../../in/demo.data
perfsift filter ../../in/demo.data
perfsift filter --split by=nonsense -o x.data ../../in/demo.data
perfsift filter ../../in/demo.data ../../in/mixed.data -o folder; ls folder
perfsift mem --sort nonsense ../../in/model_intel.data
perfsift offcpu ../../in/demo.data
perfsift offcpu --sort nonsense ../../in/sched_model.data
perfsift offcpu --show-idle-list
perfsift script -F nonsense ../../in/demo.data
perfsift script --list-dlfilters
perfsift script --dlfilter missing.so ../../in/demo.data
perfsift script --dlfilter perfsift-fold.so --dlarg --help ../../in/demo.data
perfsift dlfilter --words list
perfsift dlfilter list -v $PERFSIFT_BUILD
perfsift dlfilter info $PERFSIFT_BUILD/perfsift-filter.so
perfsift dlfilter info $PERFSIFT_BUILD/perfsift-offcpu.so
perfsift dlfilter test $PERFSIFT_BUILD/perfsift-jsonl.so
perfsift dlfilter nonsense
perfsift check ../../in/before0.txt
perfsift check --history nowhere ../../in/after0.txt
perfsift check --budget ../../in/wrong_budget ../../in/after0.txt
perfsift check --baseline ../../in/before?.txt --candidate ../../in/after?.txt
perfsift check --json --per run --baseline ../../in/before?.txt --candidate ../../in/after?.txt
perfsift check --baseline ../../in/before?.txt --candidate ../../in/other?.txt --junit x.xml --sarif x.sarif \
--markdown x.md
for i in 0 1 2; do perfsift check -q --history h --save-baseline h/ --save-anyway --allow history \
../../in/before$i.txt; done; rm -r h
for i in 0 1 2; do perfsift check -q --history h --save-baseline h/ --save-anyway --allow history --drift note --runs \
2 --prune ../../in/other$i.txt; done; perfsift check --history h ../../in/after0.txt; rm -r h
PATH=../../in/fakes:$PATH perfsift bench -n 3 -w 1 -q --json --allow spread,few true true 2>/dev/null
PATH=../../in/fakes:$PATH perfsift bench -n 2 -F 99 -e cpu-clock --call-graph dwarf --budget ../../in/budget -o \
out.txt -- true
PATH=../../in/fakes:$PATH perfsift bench -n 2 --level 1% --min-effect 2% --min-ratio 1% --min-samples 9 --exact-names \
--per run --interrupts keep --undecided fail --baseline ../../in/before0.txt -- true
PATH=../../in/fakes:$PATH perfsift bench -n 2 --keep kept -p true --command true --show-output -i -o runs.pb.gz \
>/dev/null; rm -f runs.pb.gz
perfsift bench
perfsift symbolize
perfsift symbolize -e missing 0x1
perfsift symbolize -e ../../in/symfs/opt/perfsift-demo/demo -f -C 0x401d00 0x402000 0x402345 0x1
perfsift symbolize -e ../../in/program --jobs 1 -f -i -C -a -p 0x1200 0x1300 0x1400 0x1500 0x1600 0x1700 0x1800
perfsift symbolize -e ../../in/program --jobs 4 -f -i -C -a -p 0x1200 0x1300 0x1400 0x1500 0x1600 0x1700 0x1800
perfsift symbolize -e ../../in/program --debug-dir ../../in -f 0x1500
perfsift symbolize -e ../../in/program -s --address 0x1500 --no-cache
perfsift symbolize -e ../../in/program -j .text -f 0x10 0x100 0x200
seq 4608 7 8000 | xargs printf '%x\\n' | perfsift symbolize -q -e ../../in/program --json -i
perfsift explain
perfsift explain --expression 'cpu == 0'
perfsift explain --fields
perfsift explain --fields --intervals
perfsift explain --measures
perfsift explain --budget ../../in/budget
perfsift explain --budget ../../in/wrong_budget
perfsift explain --intervals 'blocked > 50us && wait == lock'
perfsift explain 'stack has (dso == "libc*" && sym =~ "lock") || !(cpu in {0, 2..4}), time in 10%..20%'
perfsift explain 'within 5ms of (event == "sched:*" && prev_state == "D") and random(1%, 42)'
perfsift explain 'mem_op == load && mem_lvl == l1, mem_dtlb == hit'
perfsift explain 'comm == 3'
perfsift completion --shell bash
perfsift completion zsh
perfsift completion fish
perfsift completion nonsense
perfsift completion offer ''
perfsift completion offer report --sort ''
perfsift completion offer report --sort symbol,
perfsift completion offer report -e '' ../../in/mixed.data
perfsift completion offer mem --sort ''
perfsift completion offer export --to ''
perfsift completion offer export --labels ''
perfsift completion offer flame --palette ''
perfsift completion offer script -F ''
perfsift completion offer fold --filter ''
perfsift completion offer offcpu --sort ''
perfsift completion offer check --allow ''
perfsift completion offer filter --split ''
perfsift fold ../../in/mixed.script
perfsift fold --compat flamegraph --srcline ../../in/mixed.script
perfsift report --json ../../in/mixed.script ../../in/demo.folded
perfsift fold ../../in/strange.folded ../../in/two_counts.folded
perfsift flame ../../in/strange.folded
perfsift flame --negate ../../in/two_counts.folded
perfsift flame --palette hot --flamechart ../../in/mixed.script
perfsift export --to pprof --labels time -o out.pb ../../in/mixed.script
perfsift export --to firefox ../../in/mixed.folded
perfsift info ../../in/mixed.script
perfsift info ../../in/empty.data ../../in/noise.data ../../in/demo.data
perfsift report --comms file://../../in/names --symfs ../../in/symfs ../../in/demo.data
perfsift report --kallsyms ../../in/mixed.kallsyms --vmlinux missing --debug-dir ../../in --buildid-dir ../../in -f \
../../in/mixed.data
perfsift report --debuginfod --debuginfod-max-bytes 1M --debuginfod-max-time 1s ../../in/demo.data
perfsift view --save page.html ../../in/before0.txt
/usr/bin/python3 -B $PERFSIFT_TOOLS/ask_view.py ../../in/demo.data --symfs ../../in/symfs
/usr/bin/python3 -B $PERFSIFT_TOOLS/ask_view.py ../../in/sched_model.data
PATH=../../in/fakes:$PATH /usr/bin/python3 -B $PERFSIFT_TOOLS/ask_view.py --open --port 0 ../../in/demo.data --symfs \
../../in/symfs
/usr/bin/python3 -B $PERFSIFT_TOOLS/ask_view.py ../../in/events.data ../../in/again.data
/usr/bin/python3 -B $PERFSIFT_TOOLS/columns.py ../../in/missing.data
"""



def lines(text):
    """The forms of a text."""
    return [line for line in text.splitlines() if line and not line.startswith("#")]
