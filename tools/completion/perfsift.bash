# bash completion for perfsift. The program says what to offer: see perfsift-completion(1).

_perfsift() {
  local words=() kept='' joined='' line text i
  # Bash splits words at = and :, the program does not. An offer replaces only what is behind the last = or :.
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    text=${COMP_WORDS[i]}
    if ((${#words[@]} > 0)) && [[ -n $joined || $text == [:=]* ]]; then
      kept=${words[-1]}
      words[-1]+=$text
    else
      kept=''
      words+=("$text")
    fi
    if [[ $text == *[:=] ]]; then joined=yes; else joined=''; fi
  done
  [[ -z $joined ]] || kept=${words[-1]}
  COMPREPLY=()
  while IFS= read -r line; do
    text=${line%%$'\t'*}
    if [[ -n $text ]]; then
      COMPREPLY+=("${text#"$kept"}")
    else # files, too
      compopt -o filenames 2>/dev/null
      mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${words[-1]#"$kept"}")
    fi
  done < <("$1" completion offer "${words[@]}" 2>/dev/null)
}

complete -F _perfsift perfsift
