#!/bin/bash
# The bash completion must offer the program's commands, a command's options, and files.
#   completion.sh PERFSIFT
set -euo pipefail
perfsift=$1
# shellcheck source=tools/completion/perfsift.bash
source "$(dirname "$0")/../../tools/completion/perfsift.bash"

offered() { # COMMAND-LINE...: the offers after a Tab at the end of the line, in one line
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  COMPREPLY=()
  _perfsift "$1"
  echo "${COMPREPLY[*]}"
}

expect() { # EXPECTED COMMAND-LINE...
  local expected=$1 found
  shift
  found=$(offered "$@")
  [[ $found == "$expected" ]] || {
    echo "'$*' offers '$found' and not '$expected'" >&2
    exit 1
  }
}

# A command's options in the format of Boost.Program_options.
fake=$(mktemp)
trap 'rm "$fake"' EXIT
chmod +x "$fake"
cat >"$fake" <<'END'
#!/bin/sh
cat <<'HELP'
Usage: perfsift fold [OPTIONS] [FILE...]
  -o [ --output ] arg (=-)  where to write, as --other does
  --only-this arg           a long text that goes on
                            --on the next line
  -h [ --help ]             print this and exit
HELP
END

expect fold "$perfsift" fol
expect --version "$perfsift" --v
expect "--output --only-this" "$fake" fold --o
expect "--output --only-this --help" "$fake" fold a.data -
cd "$(dirname "$0")"
expect completion.sh "$perfsift" fold compl
