#!/bin/bash
# The steps of the action for GitHub, and the steps in docs/ci.md for GitLab and Jenkins, must fail a build that became
# slower, and pass an equal build. They run as they are written, in an otherwise empty environment.
#   ci_steps.sh PERFSIFT
set -euo pipefail
perfsift=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "ci_steps: $*" >&2; exit 1; }

# extract FILE START: the lines that follow the line START ('run: |') and are indented further, without the indentation
extract() {
  awk -v start="$2" '
    indent == 0 { if (index($0, start)) { match($0, /[^ ]/); outer = RSTART; indent = -1 } ; next }
    /^ *$/ { if (indent > 0) print ""; next }
    { match($0, /[^ ]/)
      if (RSTART <= outer) exit
      if (indent < 0) indent = RSTART
      print substr($0, indent) }' "$1"
}
extract "$root/integrations/github/action.yml" 'run: |' >"$work/github.sh"
extract "$root/docs/ci.md" '- |' >"$work/gitlab.sh"
extract "$root/docs/ci.md" "sh '''" >"$work/jenkins.sh"
for script in github gitlab jenkins; do
  grep -q 'check' "$work/$script.sh" || fail "$script has no step"
  bash -n "$work/$script.sh"
done

# A program that spends about half of its time in the function `work`, and the same program with most of this time.
mkdir -p "$work/bin"
ln -s "$perfsift" "$work/bin/perfsift"
python3 "$root/tests/oracle/ci_profiles.py" "$work/equal.txt" 3000 3000
python3 "$root/tests/oracle/ci_profiles.py" "$work/slower.txt" 3000 4200
cat >"$work/budget.txt" <<'END'
total("main") > 50%
never "abort" under "main"
END

run() { # SCRIPT CANDIDATE [NAME=VALUE...]: runs the script in a new folder
  rm -rf "$work/job" "$work/user"
  run_again "$@"
}
run_again() { # runs the script again in the folder of the last run
  local script=$1 candidate=$2
  shift 2
  mkdir -p "$work/job" "$work/user"
  cp "$work/equal.txt" "$work/job/baseline.data"
  cp "$candidate" "$work/job/candidate.data"
  cp "$work/budget.txt" "$work/job"
  (cd "$work/job" && env -i PATH="$work/bin:/usr/bin:/bin" HOME="$work/user" GITHUB_STEP_SUMMARY="$work/job/summary" \
    GITHUB_OUTPUT="$work/job/output" PERFSIFT=perfsift CANDIDATE=candidate.data BASELINE=baseline.data BUDGET=budget.txt \
    OPTIONS=$'\n' CANNOT_JUDGE=fail REPORTS=reports "$@" bash -e "$work/$script.sh" >log 2>&1)
}

for script in github gitlab jenkins; do
  run $script "$work/equal.txt" || { cat "$work/job/log" >&2; fail "$script fails an equal build"; }
  status=0
  run $script "$work/slower.txt" || status=$?
  ((status == 1)) || { cat "$work/job/log" >&2; fail "$script: a slower build ends with $status"; }
  [[ ! -e $work/job/reports/junit.xml ]] && fail "$script wrote no test results"
  grep -q '<failure' "$work/job/reports/junit.xml" || fail "$script: no failure in the test results"
done

run github "$work/slower.txt" || true
grep -q '^outcome=failed$' "$work/job/output" || fail "no outcome: $(cat "$work/job/output")"
grep -q '^## perfsift check: failed' "$work/job/summary" || fail "no summary"
grep -q '^::error title=' "$work/job/log" || fail "no annotation"
[[ -s $work/job/reports/change.svg ]] || fail "no picture"

# A run without a verdict must not show results of the run before.
for script in github gitlab jenkins; do
  run $script "$work/slower.txt" || true
  printf 'no recording' >"$work/broken.txt"
  rm -f "$work/job/summary" "$work/job/output"
  status=0
  run_again $script "$work/broken.txt" CANDIDATE=missing.data || status=$?
  [[ $status != 0 && $status != 1 ]] || fail "$script: a build without a recording ends with $status"
  [[ ! -e $work/job/reports/junit.xml && ! -e $work/job/reports/report.txt ]] || fail "$script shows old reports"
done
run github "$work/slower.txt" || true
rm -f "$work/job/summary" "$work/job/output"
run_again github "$work/broken.txt" CANDIDATE=missing.data || true
grep -q '^outcome=error$' "$work/job/output" || fail "no outcome without a recording: $(cat "$work/job/output")"
[[ ! -e $work/job/summary ]] || fail "the summary of an earlier run"

# A budget that cannot be judged fails the build, unless the workflow says otherwise.
echo 'p99(offcpu) < 1ms' >>"$work/budget.txt"
status=0
run github "$work/equal.txt" || status=$?
((status == 5)) || fail "what cannot be judged ends with $status"
run github "$work/equal.txt" CANNOT_JUDGE=warn || fail "cannot-judge: warn fails"
grep -q '^outcome=cannot-judge$' "$work/job/output" || fail "no outcome where nothing can be judged"
