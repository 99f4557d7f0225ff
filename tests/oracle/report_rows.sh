# shellcheck shell=bash
# Rows of perf report and of perfsift report in one form, to be compared. Needs $perfsift.

# The widths of perf's columns, where 0 lets perf choose: perf cuts names of threads to the longest of the names that the
# threads have at their ends (hists__calc_col_len), so a thread that was renamed would lose letters.
column_widths() { # KEYS --no-children | --children
  local widths=0,0,0 key # percentage, samples, period
  [[ $2 != --children ]] || widths+=,0
  for key in ${1//,/ }; do
    if [[ $key == comm ]]; then widths+=,15; else widths+=,0; fi
  done
  echo "$widths"
}

# Lines of EVENT|KEY…|SAMPLES|PERIOD|SELF PERCENT|TOTAL PERCENT, sorted. Samples and periods are self amounts.
perfs_rows() { # RECORDING KEYS --no-children | --children [OPTION...]
  perf report --stdio --no-branch-stack -i "$1" -g none -n --show-total-period -s "$2" "${@:3}" -t '|' \
    -w "$(column_widths "$2" "$3")" 2>/dev/null | tr -d '\000' |
    KEYS=$2 MODE=$3 perl -ne '
      BEGIN { @keys = split /,/, $ENV{KEYS}; $children = $ENV{MODE} eq "--children"; }
      if (/^# Samples: .* of event.? .(\S+)\x27$/) { $event = $1; next }
      next if /^#/ || !/\S/;
      chomp;
      my @cells = map { s/^\s+|\s+$//gr } split /\|/;
      my $total = $children ? shift @cells : undef;
      my ($self, $samples, $period) = splice @cells, 0, 3;
      splice @cells, @keys;  # behind symbols, perf has columns for branches
      s/%// for grep { defined } $total, $self;
      for my $i (0 .. $#keys) {
        $cells[$i] =~ s/^\[.\] // if $keys[$i] eq "symbol";
        $cells[$i] = "?" if $keys[$i] eq "symbol" && $cells[$i] =~ /^(0x)?[0-9a-f]{16}$/;
        $cells[$i] =~ s/^\s*(\d+):\s*/$1:/ if $keys[$i] eq "pid";
        $cells[$i] =~ s/^0+(?=\d)// if $keys[$i] =~ /^(cpu|socket)$/;
        $cells[$i] = "[unknown]" if $keys[$i] =~ /^(cpu|socket)$/ && $cells[$i] < 0;
        $cells[$i] = "none" if $keys[$i] eq "transaction" && $cells[$i] eq "";
      }
      my $row = join "|", $event, @cells;
      $rows{$row}[0] += $samples; $rows{$row}[1] += $period; $rows{$row}[2] += $self; $rows{$row}[3] += $total // 0;
      END {
        # Percentages of several rows are sums of rounded numbers, so only one digit remains for them.
        printf "%s|%d|%d|%.1f|%.1f\n", $_, @{$rows{$_}}[0, 1], map { $_ + 1e-9 } @{$rows{$_}}[2, 3] for sort keys %rows;
      }'
}

# The rows of perfsift, in the form of perfs_rows().
our_rows() { # RECORDING KEYS --no-children | --children [OPTION...]
  "$perfsift" report -q --csv --no-inline --sort "event,$2" "${@:4}" "$1" 2>errors | tr -d '\r' |
    KEYS=$2 MODE=$3 perl -MText::ParseWords -ne '
      BEGIN { @keys = split /,/, $ENV{KEYS}; $children = $ENV{MODE} eq "--children"; }
      next if $. == 1;
      chomp;
      my ($event, $percent, $value, $samples, $total, $total_value, $total_samples, $inlined, @cells) = parse_line(",", 0, $_);
      next if $samples == 0 && !$children;
      for my $i (0 .. $#keys) { $cells[$i] = "?" if $keys[$i] eq "symbol" && $cells[$i] =~ /^\[.*\]$/; }
      my $row = join "|", $event, @cells;
      $rows{$row}[0] += $samples; $rows{$row}[1] += $value;
      $rows{$row}[2] += sprintf "%.2f", $percent; $rows{$row}[3] += $children ? sprintf "%.2f", $total : 0;
      END {
        printf "%s|%d|%d|%.1f|%.1f\n", $_, @{$rows{$_}}[0, 1], map { $_ + 1e-9 } @{$rows{$_}}[2, 3] for sort keys %rows;
      }'
}
