#!/bin/bash
# Every command must have a manual page that describes exactly the options of the command.
#   man_pages.sh PERFSIFT
set -euo pipefail
perfsift=$1
cd "$(dirname "$0")/../.."
# shellcheck source=tools/completion/perfsift.bash
source tools/completion/perfsift.bash

options_of_page() { # PAGE: the long options that its lists describe (".It Fl o , -output Ar file")
  sed -n 's/^\.It Fl//p' "$1" | grep -oE ' -[a-z][a-z0-9-]+' | sed 's/ /-/' | sort -u
}

failed=0
complain() { # MESSAGE NAME...
  local name
  for name in ${2:-}; do
    echo "$1: $name" >&2
    failed=1
  done
}

common=$(options_of_page tools/perfsift.1)
for command in $(_perfsift_names "$perfsift"); do
  page=tools/commands/$command.1
  [[ -e $page ]] || { complain "no manual page" "$page"; continue; }
  options=$(_perfsift_names "$perfsift" "$command" | sort -u) || complain "no --help" "$command"
  told=$(options_of_page "$page")
  complain "$page does not tell of" "$(comm -23 <(echo "$options") <(printf '%s\n' "$told" "$common" | sort -u))"
  complain "$page tells of what $command does not have" "$(comm -13 <(echo "$options") <(echo "$told"))"
done
exit $failed
