#!/bin/bash
# Every command must have a manual page that describes exactly the options of the command. References between pages must
# be mutual, and name pages that exist.
#   man_pages.sh PERFSIFT
set -euo pipefail
perfsift=$1
cd "$(dirname "$0")/../.."

offered() { # WORD...: words that may replace the last word
  "$perfsift" completion offer "$@" | cut -f 1 | sed '/^$/d'
}

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

# perfsift-filter(7) describes --pids and --tids, which are other spellings of --pid and --tid.
common=$(options_of_page tools/perfsift.1; printf '%s\n' --pids --tids)
commands=$(offered help '')
for command in $commands; do
  page=tools/commands/$command.1
  [[ -e $page ]] || { complain "no manual page" "$page"; continue; }
  options=$(offered "$command" -- | sort -u) || complain "no --help" "$command"
  told=$(options_of_page "$page")
  complain "$page does not tell of" "$(comm -23 <(echo "$options") <(printf '%s\n' "$told" "$common" | sort -u))"
  complain "$page tells of what $command does not have" "$(comm -13 <(echo "$options") <(echo "$told"))"
done

# After an option that not all commands have, perfsift.1 lists the commands that have it.
listed=$(sed -n '/^\.It Fl -debuginfod$/{n;s/^\.Pq Cm //;s/ , /\n/gp}' tools/perfsift.1 | sort)
have=$(for command in $commands; do offered "$command" -- | sed -n "s/^--debuginfod\$/$command/p"; done | sort)
complain "tools/perfsift.1 does not list for --debuginfod" "$(comm -23 <(echo "$have") <(echo "$listed"))"
complain "tools/perfsift.1 lists for --debuginfod" "$(comm -13 <(echo "$have") <(echo "$listed"))"

# "perfsift-fold 1": the pages of this repository.
declare -A file_of
for page in tools/perfsift.1 tools/commands/*.1 filter/*.7 dlfilters/*.7; do
  name=$(basename "$page")
  [[ $page == tools/commands/* ]] && name=perfsift-$name
  file_of["${name%.*} ${name##*.}"]=$page
done

sections_of() { sed -n 's/^\.Sh //p' "$1"; }
see_also() { # PAGE
  sed -n '/^\.Sh SEE ALSO/,/^\.Sh [^S]/ s/^\.Xr \(perfsift[a-z0-9-]*\) \([17]\).*/\1 \2/p' "$1" | sort
}

for name in "${!file_of[@]}"; do
  page=${file_of[$name]}
  grep -q "^\.Dt ${name^^}\$" "$page" || complain "$page is not the page of" "${name/ /.}"
  while read -r other; do
    [[ -n ${file_of[$other]-} ]] || complain "$page names a page that does not exist" "${other/ /.}"
  done < <(sed -n 's/^\.Xr \(perfsift[a-z0-9-]*\) \([17]\).*/\1 \2/p' "$page" | sort -u)
  while read -r other; do
    [[ $other != "$name" ]] || complain "$page names itself in" "SEE_ALSO"
    see_also "${file_of[$other]}" | grep -qx "$name" || complain "${file_of[$other]} does not lead back to" "${name/ /.}"
  done < <(see_also "$page")
  for section in NAME SYNOPSIS DESCRIPTION "EXIT STATUS" EXAMPLES "SEE ALSO"; do
    [[ $page == *.7 && $section =~ SYNOPSIS|EXIT ]] && continue
    sections_of "$page" | grep -qx "$section" || complain "$page has no section" "${section/ /_}"
  done
done

# A quotation lasts to the end of its line (mdoc(7), "Ql"), so a second quotation would be inside the first.
complain "a quotation inside a quotation" \
  "$(grep -nE '\bQl .*\b(Ql|No)( |$)' "${file_of[@]}" | cut -d : -f 1,2)"

if command -v mandoc >/dev/null; then
  mandoc -Tlint -Wwarning "${file_of[@]}" || failed=1
else
  echo "not compared: the form of manual pages (no mandoc)"
fi
exit $failed
