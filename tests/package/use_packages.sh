# Uses what the packages installed, by the function `inside COMMAND...` of the caller, which runs a command there. The packages
# and testdata/demo.data, as perf.data, are in /packages there; `names` has the names of the packages. `fail` reports.
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
