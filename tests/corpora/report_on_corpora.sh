#!/bin/bash
# perfsift report against perf report on every recording of the corpora, which come from elsewhere and are not part of
# this repository: the samples and periods of each thread's name, binary, thread and CPU must be equal. In a recording
# of a precise event, the address of a sample is not where its callchain begins, so rows by callchains would differ.
#
#   report_on_corpora.sh PERFSIFT CORPORA
#
# Exit status: 0 equal, 1 different, 77 when the corpora or perf 6.1 are missing.
set -u
perfsift=$(realpath -e "$1") || exit 1
corpora=$2
[[ -d $corpora ]] || { echo "skipped: $corpora is not there"; exit 77; }
[[ $(perf --version 2>/dev/null) == *" 6.1"* ]] || { echo "skipped: no perf 6.1"; exit 77; }
corpora=$(realpath "$corpora")
# shellcheck source=tests/oracle/report_rows.sh
source "$(dirname "$0")/../oracle/report_rows.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
mkdir nothing
export DEBUGINFOD_URLS= PERFSIFT_CACHE_SIZE=0 HOME=$scratch
failures=0 compared=0

# The event is not compared, because its name has modifiers in some versions of perf. perf cuts the name of a thread to
# the width of ":TID", if the thread had a sample before it had a name. So only the first letters of names are compared.
without_event() { # KEYS
  if [[ $1 == comm* ]]; then sed -E 's/^[^|]*\|([^|]{1,7})[^|]*/\1/'; else sed 's/^[^|]*|//'; fi | sort
}

compare() { # RECORDING KEYS
  perfs_rows "$1" "$2" --no-children --no-group --symfs nothing | without_event "$2" >expected
  [[ -s expected ]] || return # perf 6.1 cannot read all recordings
  our_rows "$1" "$2" --no-children --symfs nothing | without_event "$2" >actual
  compared=$((compared + 1))
  diff expected actual >difference && return
  failures=$((failures + 1))
  echo "other rows than perf's for ${1#"$corpora"/} by $2:"
  head -n 6 difference
}

while read -r file; do
  perf report --stdio -g none -i "$corpora/$file" >/dev/null 2>&1 || continue
  for keys in comm dso comm,dso pid,dso cpu; do compare "$corpora/$file" "$keys"; done
done < <(cd "$corpora" && find . -type f ! -path '*_LICENSE*' ! -name '*.md' ! -name '*.jsonl' -printf '%P\n' | sort)

echo "$compared comparisons, $failures failures"
((failures == 0 && compared > 50))
