# Uses an unpacked release in a root by the caller's function `inside COMMAND...`, which runs a command there. To be sourced.
# The root has the release in /perfsift and recordings in /recordings. Everything must be what `expected`, the perfsift of
# this machine, prints on the same recordings. `fail` reports an error.
# shellcheck shell=bash disable=SC2154

# Fills a folder that becomes /recordings.
make_recordings() { # FOLDER BUILD SOURCE
  mkdir -p "$1/symfs"
  cp "$3/testdata/demo.data" "$1/demo.data"
  cp -r "$3/testdata/symfs/." "$1/symfs"
  "$2/sched_recording" "$1/switches.data"
  chmod -R a+rX "$1"
}

compared=(
  "report --no-cache --symfs symfs demo.data"
  "report --no-cache --symfs symfs --annotate demo::scramble demo.data"
  "flame --no-cache --symfs symfs -o - demo.data"
  "fold --no-cache --symfs symfs demo.data"
  "offcpu --no-cache switches.data"
  "script --no-cache --symfs symfs -i demo.data"
  "export --no-cache --symfs symfs --to speedscope -o - demo.data"
)

use_release() { # EXPECTED RECORDINGS RESULTS: the perfsift to compare with, the recordings outside of the root, a folder for results
  local expected=$1 recordings=$2 results=$3 command all kept status=0
  [[ $(inside /perfsift/bin/perfsift --version | head -n 1) == "$("$expected" --version | head -n 1)" ]] || fail "--version does not run"
  for command in "${compared[@]}"; do
    # shellcheck disable=SC2086 # words
    (cd "$recordings" && "$expected" $command) >"$results/expected" 2>"$results/expected.err" || status=$?
    # shellcheck disable=SC2086
    inside /perfsift/bin/perfsift $command >"$results/printed" 2>"$results/printed.err" || fail "$command: $(cat "$results/printed.err")"
    cmp "$results/expected" "$results/printed" || fail "$command prints something else"
    diff "$results/expected.err" "$results/printed.err" || fail "$command warns of something else"
  done
  ((status == 0)) || fail "a command fails outside of the root"
  all=$(inside /perfsift/bin/perfsift script -i demo.data -F comm --symfs symfs 2>/dev/null | grep -c .)
  kept=$(inside /perfsift/bin/perfsift script -i demo.data -F comm --symfs symfs --dlfilter perfsift-filter.so --dlarg 'comm == "sorter"' 2>/dev/null | sort | uniq -c)
  [[ $(awk '{ print $2 }' <<<"$kept") == sorter ]] && (($(awk '{ print $1 }' <<<"$kept") < all)) || fail "the module filters of $all: $kept"
  inside /perfsift/bin/perfsift dlfilter test perfsift-fold.so >"$results/printed" 2>&1 || fail "dlfilter test: $(cat "$results/printed")"
  inside /perfsift/bin/perfsift dlfilter list | grep -q perfsift-offcpu.so || fail "dlfilter list does not find the modules of the release"
  inside /perfsift/bin/perfsift --version | grep -qE '^feature libpfm yes' || fail "--version: no libpfm inside"
  inside /perfsift/bin/perfsift --version | grep -qx 'feature tls yes' || fail "--version: no libssl inside"
  inside /perfsift/bin/perfsift --version | grep -qE '^feature bpf (yes$|no: )' || fail "--version: nothing of BPF"
  inside /perfsift/bin/perfsift --version | grep -qx 'feature debuginfod yes' || fail "--version: no debuginfod inside"
  # Its start code refuses capabilities of its file, so that no advice may be to give it one. 1: this user may record nothing.
  inside /perfsift/bin/perfsift doctor >"$results/printed" 2>&1 || (($? == 1)) || fail "doctor: $(cat "$results/printed")"
  grep -q 'give the program CAP_PERFMON' "$results/printed" && fail "doctor advises capabilities of the file"
  use_view "$results"
}

# The page of the server, asked for from outside of the root.
use_view() { # RESULTS
  local link='' server status=0
  : >"$1/link" # of an earlier server, which the new one overwrites only when it runs
  set -m # the server and what starts it are a process group
  inside /perfsift/bin/perfsift view --no-cache --symfs symfs demo.data >"$1/link" 2>"$1/view.err" &
  server=$!
  set +m
  for _ in $(seq 100); do
    link=$(grep -m1 -o 'http://127.0.0.1:[^ ]*' "$1/link") && break
    sleep 0.05
  done
  python3 -c 'import sys, urllib.request
def answer(question): return urllib.request.urlopen(sys.argv[1] + question).read()
sys.exit(b"<title>demo.data" not in answer("") or b"demo::scramble" not in answer("data"))' "$link" || status=$?
  kill -- "-$server"
  wait "$server" 2>/dev/null || true
  ((status == 0)) || fail "view: no page at '$link': $(cat "$1/view.err")"
}
