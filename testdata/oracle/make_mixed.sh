#!/bin/bash
# Remakes mixed.data and what perf 6.1 and FlameGraph's script print of it and of ../demo.data:
#
#   mixed.kallsyms                 the part of /proc/kallsyms that mixed.data needs
#   mixed.script                   perf script
#   mixed.folded, demo.folded      perf script | stackcollapse-perf.pl
#   mixed.tid_all_addrs.folded     … --tid --all --addrs
#
# Needs root, perf 6.1 and STACKCOLLAPSE_PERF, the path of stackcollapse-perf.pl. Every run samples other moments.
#
# mixed.data has stacks of kernel and user space, three kinds of events, tracepoints among them, forks and execs, and a
# program without names (the shell, which is not below ../symfs). Nothing shows whose machine it was (see
# ../make_demo.sh); only tracepoints that name no other processes were recorded.
set -euo pipefail
cd "$(dirname "$0")"
: "${STACKCOLLAPSE_PERF:?is the path of stackcollapse-perf.pl}"
[[ $(perf --version) == *" 6.1"* ]] || { echo "$(perf --version) is not 6.1" >&2; exit 1; }
place=/opt/perfsift-demo
[[ ! -e $place ]] || { echo "$place is in the way" >&2; exit 1; }
mkdir "$place"
trap 'rm -r "$place"' EXIT
cp ../symfs$place/demo $place/demo

unshare --uts sh -c "hostname demo && cd $place && perf record -q -N -F 120 -g -o mixed.data -e cpu-clock \
  -e page-faults/period=40/ -e 'sched:sched_process_*' sh -c './demo & ./demo; wait'"

RELEASE=$(uname -r) perl -0pi -e '
  my ($kernel) = $ENV{RELEASE} =~ /^([0-9.]+)/;
  my $cut = $kernel . "\0" x (length($ENV{RELEASE}) - length($kernel));
  s/\Q$ENV{RELEASE}\E\0/$cut\0/g' $place/mixed.data

# The part of kallsyms with the reference symbol, the sampled functions, all their names, and where they end.
# Addresses are compared as text of 16 digits: Perl warns of numbers this large.
perf script -i $place/mixed.data -F ip 2>/dev/null | perl -e '
  my %wanted;
  while (<STDIN>) { $wanted{$1} = 1 if /^\s+(ffff[0-9a-f]{12})$/ }
  open my $kallsyms, "<", "/proc/kallsyms" or die $!;
  my @lines = sort { substr($a, 0, 16) cmp substr($b, 0, 16) } grep { !/\[/ } <$kallsyms>;  # stable, as mergesort is
  my @starts = do { my %seen; grep { !$seen{$_}++ } map { substr($_, 0, 16) } @lines };
  my %kept;
  my @addresses = sort keys %wanted;
  for my $i (0 .. $#starts - 1) {
    shift @addresses while @addresses && $addresses[0] lt $starts[$i];
    @kept{@starts[$i, $i + 1]} = (1, 1) if @addresses && $addresses[0] lt $starts[$i + 1];
  }
  print grep { $kept{substr($_, 0, 16)} || / _s?text$/ } @lines' >mixed.kallsyms

export DEBUGINFOD_URLS=
install -m 644 $place/mixed.data mixed.data
perf script -i mixed.data --symfs ../symfs --kallsyms mixed.kallsyms >mixed.script
perl "$STACKCOLLAPSE_PERF" mixed.script >mixed.folded
perl "$STACKCOLLAPSE_PERF" --tid --all --addrs mixed.script >mixed.tid_all_addrs.folded
perf script -i ../demo.data --symfs ../symfs | perl "$STACKCOLLAPSE_PERF" >demo.folded
