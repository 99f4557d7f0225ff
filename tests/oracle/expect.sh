# For tests that count what is wrong in `failures`: says of each check whether it holds.
# shellcheck shell=bash

expect() { # WHAT COMMAND…
  local what=$1
  shift
  if "$@"; then
    echo "right: $what"
  else
    echo "WRONG: $what"
    failures=$((failures + 1))
  fi
}
