#!/bin/bash
# perfsift script -F event,trace against perf's, for made-up samples of every tracepoint of the running kernel.
#
#   tracepoints_equal_perf.sh PERFSIFT TRACEPOINT_SAMPLES
#
# PERFSIFT_NEWER_PERF names the perf 7.x for the comparison (libtraceevent 1.9); by default the installed perf, if its
# version is 7.x. SEED selects the samples. Differences are permitted only where tracepoints_differ lists them with a
# reason.
#
# Exit status: 0 equal, 1 different, 77 when there is no perf, or tracefs cannot be read.
set -u
perfsift=$(realpath -e "$1") && samples=$(realpath -e "$2") || exit 1
here=$(realpath "$(dirname "$0")")
skip() { echo "skipped: $*"; exit 77; }

perf=${PERFSIFT_NEWER_PERF:-perf}
command -v "$perf" >/dev/null || skip "no perf"
events=/sys/kernel/tracing/events
[[ -r $events/header_page ]] || events=/sys/kernel/debug/tracing/events
[[ -r $events/header_page ]] || skip "tracefs is not mounted, or not readable"
version=$("$perf" --version | grep -o '[0-9][0-9.]*' | head -n 1)
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT && cd "$scratch" || exit 1
export DEBUGINFOD_URLS= PERFSIFT_CACHE_SIZE=0

[[ $version == [1-6].* ]] && skip "perf $version is not 7, whose text this compares with"

# Lines of the list: tracepoints and the reason.
grep -v '^#' "$here/tracepoints_differ" >list

"$samples" "$events" "${SEED:-1}" samples.data || exit 1
"$perf" script -i samples.data -F event,trace >expected 2>errors || { echo "perf $version failed"; head -n 3 errors; exit 1; }
"$perfsift" script -q -F event,trace samples.data >actual || exit 1
[[ -s actual && $(wc -l <actual) == $(wc -l <expected) ]] || { echo "not the same number of lines"; exit 1; }

# shellcheck disable=SC2016
paste -d $'\001' expected actual | perl -e '
  open my $list, "<", "list" or die;
  my @known = map { my $glob = quotemeta((split)[0]) =~ s/\\\*/.*/gr; qr/^$glob$/ } <$list>;
  my %count = (equal => 0, listed => 0, fields => 0, DIFFERENT => 0);
  while (<STDIN>) {
    chomp;
    my ($theirs, $ours) = split /\001/;
    my ($event) = $ours =~ /^\s*(\S+):(?: |$)/;
    my $unread = $ours =~ /\[fields only\]/ && $theirs =~ /\[FAILED TO PARSE\]/;
    my $class = $theirs eq $ours ? "equal" : $unread ? "fields" : (grep { $event =~ $_ } @known) ? "listed" : "DIFFERENT";
    print "perf $theirs\nours $ours\n" if $class eq "DIFFERENT" && $count{$class} < 20;
    ++$count{$class};
  }
  print "$count{equal} equal, $count{fields} neither understands, $count{listed} listed, $count{DIFFERENT} different\n";
  exit($count{DIFFERENT} || !$count{equal} ? 1 : 0);'
