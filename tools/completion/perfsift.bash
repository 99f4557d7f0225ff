# bash completion for perfsift. The program's own --help is what is offered, so nothing is listed here.

# The names --help lists: the commands of perfsift, or the options of one command. Boost writes an option
# as "  -o [ --output ] arg" or "  --output arg".
_perfsift_names() { # PERFSIFT [COMMAND]
  "$@" --help 2>/dev/null | sed -nE 's/^  (-. \[ )?(--[a-z][a-z0-9-]*).*/\2/p; s/^  ([a-z][a-z0-9-]*) .*/\1/p'
}

_perfsift() {
  local program=$1 current=${COMP_WORDS[COMP_CWORD]} names
  if ((COMP_CWORD == 1)); then
    names="--help --version $(_perfsift_names "$program")"
  elif [[ $current == -* ]]; then
    names=$(_perfsift_names "$program" "${COMP_WORDS[1]}")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$names" -- "$current")
}

complete -o filenames -F _perfsift perfsift
