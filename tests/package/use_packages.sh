# Uses the installed packages by the caller's function `inside COMMAND...`, which runs a command in their root. The root
# has the packages in /packages, and testdata/demo.data as /packages/perf.data. `names` has the names of the packages.
# `fail` reports an error.
use_packages() {
  local report all kept samples
  [[ $(inside perfsift --version) == "perfsift "* ]] || fail "the installed perfsift does not run"
  report=$(inside perfsift report --no-cache --csv /packages/perf.data)
  [[ $report == *,563,* ]] || fail "the installed perfsift shows no report: $report"
  if [[ " ${names//$'\n'/ } " == *" perfsift-dlfilters "* ]] && inside sh -c 'command -v perf' >/dev/null; then
    all=$(inside perf script -i /packages/perf.data -F comm 2>/dev/null | grep -c .)
    kept=$(inside perf script -i /packages/perf.data -F comm --dlfilter perfsift-filter.so --dlarg 'comm == "sorter"' 2>/dev/null | sort | uniq -c)
    [[ $(awk '{ print $2 }' <<<"$kept") == sorter ]] && (($(awk '{ print $1 }' <<<"$kept") < all)) || fail "perf does not filter: of $all, $kept"
  fi
  if inside /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    samples=$(inside /usr/bin/python3 -c 'import perfsift; print(len(perfsift.open("/packages/perf.data").samples()))')
    [[ $samples == 563 ]] || fail "the installed module of Python reads $samples samples"
  fi
}
