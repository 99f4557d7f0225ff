#!/bin/bash
# deploy/slurm/store-add.sbatch with a real Slurm: slurmctld, two slurmd and munge on loopback, which this test starts and
# ends. The store is on two doubles of ClickHouse. A task's program is killed, a node goes down with its tasks, and the array
# runs twice: nothing is lost, and nothing counts twice. By hand, as root: slurm-wlm and munge must be installed.
#   deploy_slurm.sh PERFSIFT CLICKHOUSE_DOUBLE FOLDER_OF_NPM
set -u
perfsift=$(realpath "$1")
double=$(realpath "$2")
here=$(dirname "$(realpath "$0")")
testdata=$(realpath "$here/../../testdata")
script=$(realpath "$here/../../deploy/slurm/store-add.sbatch")

# shellcheck source=tests/oracle/recordings.sh
source "$here/recordings.sh"
# shellcheck source=tests/oracle/servers.sh
source "$here/servers.sh"
for tool in slurmctld slurmd munged sbatch; do command -v $tool >/dev/null || skip "no $tool"; done
((EUID == 0)) || skip "slurmd needs root"
need_libchdb "$3"
in_scratch
stop_servers_at_end

free_ports() { # COUNT
  python3 -c 'import socket, sys
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*[each.getsockname()[1] for each in sockets])' "$1"
}
read -r control first second < <(free_ports 3)

# munge: a key and a socket of its own.
chmod 755 "$scratch"
mkdir -p munge state spool.n1 spool.n2
chmod 700 munge
head -c 1024 /dev/urandom >munge/key
chmod 600 munge/key
mkdir socket
chmod 755 socket
munged --foreground --force --key-file=munge/key --socket=socket/munge --pid-file=munge/pid --log-file=munge/log --seed-file=munge/seed 2>munged.errors &
pids+=($!)
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$control
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$scratch/socket/munge
CredType=cred/munge
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool.%n
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.%n.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=6
SlurmctldTimeout=6
InactiveLimit=0
KillWait=2
ReturnToService=2
MpiDefault=none
NodeName=n1 NodeAddr=127.0.0.1 NodeHostname=$(hostname -s) Port=$first CPUs=2
NodeName=n2 NodeAddr=127.0.0.1 NodeHostname=$(hostname -s) Port=$second CPUs=2
PartitionName=all Nodes=ALL Default=YES State=UP
END
export SLURM_CONF=$scratch/slurm.conf
for ((i = 0; i < 100; ++i)); do
  [[ ! -S socket/munge ]] || break
  sleep 0.1
done
slurmctld -D 2>slurmctld.errors &
pids+=($!)
slurmd -D -N n1 2>slurmd.n1.errors &
pids+=($!)
slurmd -D -N n2 2>slurmd.n2.errors &
node=$!
pids+=("$node")
for ((i = 0; i < 300; ++i)); do
  [[ $(sinfo --noheader --states=idle --format=%D 2>/dev/null) != 2 ]] || break
  sleep 0.1
done
[[ $(sinfo --noheader --states=idle --format=%D) == 2 ]] || { bad "no two nodes: $(sinfo 2>&1; tail -n 5 ./*.errors ./*.log)"; exit 1; }
echo "two nodes: $(sinfo --version)"

# Recordings with stacks of their own, and one of perf.
"$perfsift" fold --symfs "$testdata/symfs" "$testdata/demo.data" >demo.folded
mkdir many
for i in $(seq 48); do
  { cat demo.folded; echo "only_in_$i;f$((i % 7)) $i"; } >"many/$i.folded"
done
printf '%s\n' "$scratch"/many/*.folded >list
"$perfsift" fold many/*.folded >expected

start_server one 0
first_server=$port
start_server two 0
store="clickhouse://127.0.0.1:$first_server,127.0.0.1:$port/fleet"
# The program of a task is killed once, that of others waits until a node is down.
cat >program <<END
#!/bin/bash
if [[ \$SLURM_ARRAY_TASK_ID == 1 && ! -e $scratch/was_killed ]]; then touch $scratch/was_killed; kill -KILL \$\$; fi
echo "\$SLURM_ARRAY_TASK_ID \$SLURMD_NODENAME \${SLURM_RESTART_COUNT:-0}" >>$scratch/ran
"$perfsift" "\$@"
status=\$?
while [[ -d $scratch && ! -e $scratch/node_is_down ]]; do sleep 0.2; done
exit \$status
END
chmod +x program

# Requeued tasks wait two minutes, which this test does not.
until_done() { # JOB
  local i task
  for ((i = 0; i < 900; ++i)); do
    [[ $(squeue --noheader --job "$1" 2>/dev/null) ]] || return 0
    for task in $(squeue --noheader --array --job "$1" --states=PENDING --format=%i); do scontrol update JobId="$task" StartTime=now >/dev/null 2>&1; done
    sleep 0.2
  done
  bad "the job did not end: $(squeue)"
}
submit() { # PROGRAM OUTPUT
  sbatch --parsable --array=0-7 --output="$scratch/$2.%a" --export=ALL,PERFSIFT="$1" "$script" "$store" "$scratch/list" service=shop
}
job=$(submit "$scratch/program" out)
for ((i = 0; i < 300; ++i)); do
  ! grep -q ' n2 ' ran 2>/dev/null || break
  sleep 0.1
done
sleep 1
# The node goes down: its daemon, and all that it started.
mapfile -t doomed < <(squeue --noheader --array --states=RUNNING --nodelist=n2 --format=%i)
echo "node n2 goes down with its tasks ${doomed[*]}"
steps=()
for task in "${doomed[@]}"; do
  number=$(scontrol show job "$task" | sed -n 's/^JobId=\([0-9]*\).*/\1/p')
  mapfile -t -O "${#steps[@]}" steps < <(pgrep -f "^slurmstepd: \[$number\.batch\]")
done
((${#steps[@]} > 0)) || bad "node n2 has no tasks"
kill -KILL "$node"
for step in "${steps[@]}"; do
  mapfile -t below < <(pgrep -P "$step")
  kill -KILL "$step" "${below[@]}"
done
for ((i = 0; i < 300; ++i)); do
  [[ $(sinfo --noheader --nodes=n2 --format=%t) != down* ]] || break
  sleep 0.1
done
[[ $(sinfo --noheader --nodes=n2 --format=%t) == down* ]] || bad "node n2 is not down: $(sinfo)"
touch node_is_down
until_done "$job"
cat out.* | grep store-add
[[ -e was_killed ]] || bad "no program was killed"
grep -q 'try 1: status 137: queued again' out.1 || bad "the killed task was not queued again: $(<out.1)"
awk '$3 > 0 && $1 != 1' ran | grep -q . || bad "no task of node n2 ran again: $(<ran)"
awk '$2 == "n2"' ran | grep -q . || bad "node n2 had no task"
[[ $(cut -d ' ' -f 1 ran | sort -u | wc -l) == 8 ]] || bad "not all tasks ran: $(<ran)"

"$perfsift" fold "$store" >actual 2>errors || bad "fold: $(<errors)"
expect_equal "48 recordings by 8 tasks, of which a node took some with it"
"$perfsift" store check "$store" >checked || bad "check: $(<checked)"
[[ $("$perfsift" store list --json "$store" | grep -c '"service": "shop"') == 48 ]] || bad "labels"

# Once more, as after a mistake.
job=$(submit "$perfsift" again)
until_done "$job"
[[ $(cat again.* | grep -cx 'added 0 recordings, 0 samples; 6 already there') == 8 ]] || bad "added twice: $(cat again.*)"
"$perfsift" fold "$store" >actual 2>errors || bad "fold: $(<errors)"
expect_equal "the array ran twice"

# Wrong use.
job=$(sbatch --parsable --array=0,2 --output="$scratch/gaps.%a" "$script" "$store" "$scratch/list")
until_done "$job"
grep -q 'the numbers of the tasks have gaps' gaps.0 || bad "gaps: $(<gaps.0)"
conclude
