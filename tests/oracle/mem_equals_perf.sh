#!/bin/bash
# perfsift mem and perfsift c2c against perf mem report and perf c2c report, on recordings of simulated accesses.
#
#   mem_equals_perf.sh PERFSIFT MODEL_RECORDING
#
# perf 6.1 prints a level by its bits and its number ("L1 or L1 hit", cut to a width). perfsift follows later versions,
# which use the number. So the words of perf 6.1 are replaced. perf has a table for each event. This includes
# mem-loads-aux, whose samples repeat those of the loads.
#
# Exit status: 0 equal, 1 different, 77 when there is no perf 6.1 here.
set -u
perfsift=$(realpath -e "$1") && model=$(realpath -e "$2") || exit 1
# shellcheck source=tests/oracle/recordings.sh
source "$(dirname "$0")/recordings.sh"
begin

# Lines of KEY…|SAMPLES|WEIGHT. The weight is the period that perf sorts by.
perfs_rows() { # RECORDING KEYS
  perf mem report -i "$1" -s "$2" -- --stdio -n --show-total-period -t '|' 2>/dev/null | tr -d '\000' |
    KEYS=$2 perl -ne '
      BEGIN { @keys = split /,/, $ENV{KEYS} }
      $auxiliary = $1 =~ /mem-loads-aux/ if /^# Samples: .* of event \x27(.*)\x27/;
      next if /^#/ || !/\S/ || $auxiliary;
      chomp;
      my @cells = map { s/^\s+|\s+$//gr } split /\|/;
      my (undef, $samples, $weight) = splice @cells, 0, 3;
      splice @cells, @keys;
      for (@cells) {
        s/^\[[.k]\] //;
        s/^(L\d) or \1\b/$1/;
        s/^Local RAM or RAM/RAM/;
        s/^Remote Remote Cache.*/Remote L3 hit/;
        s/^Remote Remote RAM.*/Remote RAM hit/;
        s/^Y$/Yes/;  # cut to the width of the column
        s/^N$/No/;
      }
      my $row = join "|", @cells;
      $rows{$row}[0] += $samples; $rows{$row}[1] += $weight;
      END { printf "%s|%d|%d\n", $_, @{$rows{$_}} for sort keys %rows }'
}

our_rows() { # RECORDING KEYS
  "$perfsift" mem -q --csv --sort "$2" "$1" 2>errors | tr -d '\r' | perl -MText::ParseWords -ne '
    next if $. == 1;
    chomp;
    my @cells = parse_line(",", 0, $_);
    my ($samples, $weight) = @cells[3, 4];
    print join("|", @cells[14 .. $#cells], $samples, $weight), "\n"'
}

compare_tables() { # RECORDING
  local keys
  for keys in mem symbol dso snoop tlb locked blocked symbol_daddr dso_daddr local_weight mem,snoop,locked \
    symbol,mem,tlb data_page_size code_page_size; do
    perfs_rows "$1" "$keys" | LC_ALL=C sort >expected
    our_rows "$1" "$keys" | LC_ALL=C sort >actual
    expect_equal "$1" "$keys"
  done
}

# The totals of perf c2c report as NAME NUMBER, with our names. perf also counts a HITM of the own node as a hit of the
# LLC.
perfs_counts() { # RECORDING
  perf c2c report -i "$1" --stdio 2>/dev/null | tr -d '\000' | perl -ne '
    BEGIN {
      %names = ("Total records" => "records", "Locked Load/Store Operations" => "locked", "Load Operations" => "loads",
        "Loads - uncacheable" => "load_uncached", "Loads - IO" => "load_io", "Loads - Miss" => "load_miss",
        "Loads - no mapping" => "loads_without_address", "Load Fill Buffer Hit" => "load_fill_buffer",
        "Load L1D hit" => "load_l1", "Load L2D hit" => "load_l2", "Load LLC hit" => "load_llc",
        "Load Local HITM" => "local_hitm", "Load Remote HITM" => "remote_hitm", "Load Remote HIT" => "load_remote_cache",
        "Load Local DRAM" => "load_local_ram", "Load Remote DRAM" => "load_remote_ram",
        "Load MESI State Exclusive" => "load_exclusive", "Load MESI State Shared" => "load_shared",
        "Load access blocked by data" => "blocked_by_data", "Load access blocked by address" => "blocked_by_address",
        "Store Operations" => "stores", "Store - uncacheable" => "store_uncached",
        "Store - no mapping" => "stores_without_address", "Store L1D Hit" => "store_l1_hit",
        "Store L1D Miss" => "store_l1_miss", "Store No available memory level" => "store_unknown_level",
        "No Page Map Rejects" => "unmapped", "Unable to parse data source" => "neither");
    }
    last if /Global Shared Cache Line/;
    next unless /^\s*(.*?)\s*:\s*(\d+)\s*$/ && $names{$1};
    $count{$names{$1}} = $2;
    END {
      $count{load_llc} -= $count{local_hitm};
      print "$_ $count{$_}\n" for sort keys %count;
    }'
}

our_counts() { # RECORDING
  "$perfsift" c2c -q --json "$1" 2>errors | python3 -c '
import json, sys
counts = json.load(sys.stdin)["counts"]
for name in sorted(counts):
    if name not in ("local_peer", "remote_peer", "unknown_value"): print(name, counts[name])'
}

# Lines with HITM: ADDRESS LOCAL REMOTE STORES, sorted. perf's loads are a sum over categories in which a remote HITM
# counts twice, because it is also a load of remote memory.
perfs_lines() { # RECORDING
  perf c2c report -i "$1" --stdio 2>/dev/null | tr -d '\000' | perl -ne '
    $in = 1 if /Shared Data Cache Line Table/;
    $in = 0 if /Shared Cache Line Distribution Pareto/;
    next unless $in && /^\s+\d+\s+0x([0-9a-f]+)\s/;
    my @fields = split;
    # Index, address, node, PA count, percent, total HITM, local and remote HITM, records, loads, stores, …
    print join(" ", "0x$1", @fields[6, 7, 10]), "\n"' | LC_ALL=C sort
}

our_lines() { # RECORDING
  "$perfsift" c2c -q --json "$1" 2>errors | python3 -c '
import json, sys
for line in json.load(sys.stdin)["lines"]:
    if line["local_hitm"] + line["remote_hitm"]:
        print(hex(line["address"]), line["local_hitm"], line["remote_hitm"], line["stores"])' | LC_ALL=C sort
}

# perf c2c also counts the samples of the auxiliary event.
compare_lines() { # RECORDING
  "$perfsift" filter -q --filter 'event != "cpu_core/mem-loads-aux/"' -o accesses.data "$1"
  perfs_counts accesses.data >expected
  our_counts "$1" >actual
  expect_equal "$1" totals of c2c
  perfs_lines accesses.data >expected
  our_lines "$1" >actual
  expect_equal "$1" lines of c2c
}

for pmu in intel amd hybrid; do
  "$model" "$pmu" 300 "$pmu.data" "$scratch/model" || exit 1
  compare_tables "$pmu.data"
  compare_lines "$pmu.data"
done

# Real samples have no latencies and data sources, but all kinds of memory.
record faults.data -d -c 1 -e page-faults ls / && {
  perf script -i faults.data -F addr 2>/dev/null | tr -d ' ' | LC_ALL=C sort | uniq -c >expected
  "$perfsift" mem -q --raw --csv faults.data 2>errors | tr -d '\r' | perl -F, -ane '
    print substr($F[5], 2), "\n" if $. > 1' | LC_ALL=C sort | uniq -c >actual
  expect_equal addresses of page faults
}

conclude
