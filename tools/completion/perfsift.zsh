#compdef perfsift
# zsh completion for perfsift. The program says what to offer: see perfsift-completion(1).

_perfsift() {
  local line text
  local -a offers
  for line in "${(@f)$(${(Q)words[1]} completion offer "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
    text=${line%%$'\t'*}
    if [[ -n $text ]]; then
      offers+=("${text//:/\\:}:${line#*$'\t'}")
    elif [[ -n $line ]]; then # files, too
      _files
    fi
  done
  _describe -t offers perfsift offers
}

# The file is either the function itself, found in $fpath, or a script that defines the function.
if [[ $funcstack[1] == _perfsift ]]; then
  _perfsift "$@"
else
  compdef _perfsift perfsift
fi
