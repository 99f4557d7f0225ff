"""The values in forms: options that many commands have, keys, and expressions."""

# Options that decide the contents of profiles, for every command that reads profiles.
PROFILE = """
--weight samples
--kernel-only
--user-only
--no-inline
--max-stack 3
--repair-stacks
--demangle full
--demangle raw
--interrupts apart
--interrupts drop
--unresolved --incomplete
--max-lost 0
--max-unresolved 1 --max-truncated 1 --max-incomplete 1
--fail-empty --filter "period < 0"
--comms b,sorter,sleep
--pid {process}
--tid {thread}
-C 0
-C 1-3,5
--time 10%-50%
--time 30%/2
--dsos libc.so.6,demo,program
-S main,work,quick_sort
-e cpu-clock
-e "*"
--filter-file ../../in/filter
--no-cache
-q
"""

# Options that decide the frames of stacks.
FRAMES = """
--with-pid
--with-tid
--with-cgroup
--no-comm
--annotate all
--annotate kernel,inline
--annotate jit,guess,leaf
--addresses
--max-depth 3
--delimiter
--delimiter=x
--collapse-recursion
--collapse-recursion=cycles
--lost-frames
--with-pid --annotate all --interrupts apart --collapse-recursion
"""

# Options that many commands share, each once for each command that has it.
SHARED = """
--input {file}
--files-from ../../in/list
-q
--filter 'cpu == 0'
--filter-file ../../in/filter
--comms b,sorter,waiter
--pid {process}
--tid {thread}
-C 0
--time 10%-50%
--dsos demo,program
-S main,work
-e "*"
--min-latency 3
--level l1
--node 0
--vmlinux ../../in/program
--debug-dir ../../in/nothing
--buildid-dir ../../in/nothing
--kallsyms ../../in/mixed.kallsyms
--symfs ../../in/nothing
-f
--no-cache
--debuginfod --debuginfod-max-bytes 1M --debuginfod-max-time 1s
--weight samples
--kernel-only
--user-only
--no-inline
--max-stack 3
--repair-stacks
--demangle full
--interrupts drop
--unresolved
--incomplete
--max-lost 0
--max-unresolved 1
--max-truncated 1
--max-incomplete 1
--fail-empty
--with-pid
--with-tid
--with-cgroup
--no-comm
--annotate all
--addresses
--max-depth 3
--delimiter
--collapse-recursion
--lost-frames
"""
SHARING = {
    "c2c": "model_intel", "check": "before0.txt", "diff": "dwarf", "export": "events", "filter": "demo",
    "flame": "cgroup_model", "fold": "model_ibs", "info": "dwarf", "mem": "model_intel", "merge": "fp",
    "offcpu": "sched_model", "report": "model_intel", "script": "dwarf", "view": "demo",
}
SHARING_TAILS = {
    "check": "../../in/after0.txt", "diff": "../../in/again.data", "export": "--to folded", "filter": "-o out.data",
    "merge": "-o out.pb.gz", "view": "--save page.html",
}

COMMANDS = ("bench c2c check completion diff dlfilter explain export filter flame fold info mem merge offcpu report "
            "script symbolize view").split()
WRONG = ("--nonsense", "-j x", "missing.data")

SORT_KEYS = ("symbol dso srcline srcfile comm comm_nodigit pid tgid cpu socket cgroup time event local_weight "
             "local_ins_lat local_p_stage_cyc code_page_size transaction addr symbol,dso,srcfile "
             "cpu,event,comm").split()
MEMORY_KEYS = ("op mem snoop tlb locked blocked symbol dso srcline symbol_iaddr code_page_size symbol_daddr variable "
               "member field declaration kind dso_daddr section range daddr phys_daddr dcacheline page "
               "data_page_size node comm pid tgid cpu cpu_node cgroup event local_weight local_ins_lat "
               "local_p_stage_cyc op,mem,snoop,symbol").split()
OFFCPU_KEYS = "involuntary off-cpu blocked run-queue longest intervals p99.9".split()
PALETTES = "kind safe dso chain hot mem io wakeup red orange yellow green aqua blue purple".split()
LABELS = "pid tid comm cpu cgroup mode other time all none pid,cpu".split()

# An expression for each kind of field, and each form of the language.
EXPRESSIONS = """
event == "cpu-clock*"
comm =~ "^[a-m]"
comm in {"b", "wl*", "sorter"}
pid == {process} && tid != {thread}
cpu in {0, 2..4}
cpu not in 1..9
time in 10%..20% || time >= 90%
time < 1s
ip > 0xffff000000000000
sym == "*work*"
sym !~ "sort"
symoff < 64
dso == "libc.so.6"
dso == "*demo"
srcfile == "workload.cpp"
srcline > 20
addr != 0 && has addr
addr_sym =~ "."
addr_dso == "*"
period > 64k
weight >= 10 || ins_lat > 1
p_stage_cyc == 0, id > 0
stream_id > 0
txn == 0
phys_addr & 1
data_page_size == 4k
code_page_size >= 4k
cgroup == "/*"
cgroup_id > 0
cpumode == kernel
misc & 2
exact_ip
raw_size > 0
machine_pid == 0
vcpu == 0
mem.op == load && mem.lvl in {l2, l3}
mem.hit || mem.miss
mem.snoop == hitm
mem.remote || mem.lock
mem.dtlb == hit
mem.blk == data
mem.hops == 1
mem.region == 0
mem.node == 0
branch || call || return || conditional
ipc > 1
leaf == "*sort*" || leaf.dso == "libc*"
caller =~ "main" && caller.dso =~ "demo|program"
root == "_start" || root.dso == "*"
depth in 3..6
context == user
context in {interrupt, softirq, nmi, syscall, exception, kernel}
stack has "main"
stack has (dso == "libc.so.6" && sym =~ "lock" || srcline == 3)
stack is truncated
every(3)
first(10)
random(20%)
random(20%, 42) && cpu == 0
within 1ms of (cpu == 1)
between (comm == "b") and (comm == "sorter")
prev_pid == 0 || prev_state == "S"
sched:sched_switch.next_prio < 120
!(addr == 0) and not (cpu == 0) or period > 1
(((cpu == 0)))
mem_op == load, mem_lvl == l1
"""
