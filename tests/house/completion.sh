#!/bin/bash
# bash, zsh and fish must offer the program's words, and files.
#   completion.sh PERFSIFT
set -euo pipefail
perfsift=$(realpath "$1")
cd "$(dirname "$0")"
scripts=$(realpath ../../tools/completion)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
touch "$scratch/a file.data" "$scratch/z.data"
cd "$scratch"

for shell in bash zsh fish; do
  "$perfsift" completion $shell | cmp - "$scripts/perfsift.$shell"
done

expect() { # EXPECTED FOUND LINE
  [[ $2 == "$1" ]] || { echo "$shell: '$3' offers '$2' and not '$1'" >&2; exit 1; }
}

# shellcheck source=tools/completion/perfsift.bash
source "$scripts/perfsift.bash"
bash_offers() { # WORD...: the offers after a Tab at the end of these words, as bash splits them
  COMP_WORDS=("$perfsift" "$@")
  COMP_CWORD=$#
  _perfsift "$perfsift"
  echo "${COMPREPLY[*]}"
}
shell=bash
expect fold "$(bash_offers fol)" "fol"
expect --version "$(bash_offers --v)" "--v"
expect --weight "$(bash_offers fold a.data --wei)" "fold a.data --wei"
expect "samples period" "$(bash_offers fold --weight '')" "fold --weight "
expect period "$(bash_offers fold --weight = p)" "fold --weight=p"
expect "samples period" "$(bash_offers fold --weight =)" "fold --weight="
expect comm,dso "$(bash_offers report --sort comm,ds)" "report --sort comm,ds"
expect by=pid "by=$(bash_offers filter --split by = pi)" "filter --split by=pi"
expect "a file.data z.data" "$(bash_offers fold '')" "fold "
expect z.data "$(bash_offers z)" "z"

if command -v fish >/dev/null; then
  shell=fish
  fish_offers() { # LINE
    HOME=$scratch fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$scripts/perfsift.fish" "$1" | cut -f 1 | tr '\n' ' '
  }
  PATH=$(dirname "$perfsift"):$PATH
  expect "fold " "$(fish_offers 'perfsift fol')" "fol"
  expect "period samples " "$(fish_offers 'perfsift fold --weight ')" "fold --weight "
  expect "--weight=period " "$(fish_offers 'perfsift fold --weight=p')" "fold --weight=p"
  expect "comm,dso " "$(fish_offers 'perfsift report --sort comm,ds')" "report --sort comm,ds"
  expect "z.data " "$(fish_offers 'perfsift fold z')" "fold z"
else
  echo "not compared: the completion of fish (no fish)"
fi

# zsh has no command that completes a line. So a zsh in a pseudo-terminal gets the line and a key, and prints the
# result.
if command -v zsh >/dev/null; then
  shell=zsh
  cp "$scripts/perfsift.zsh" _perfsift
  cat >completes <<'END'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "stty -echo; PS1=; PS2=; fpath=($PWD \$fpath); autoload -U compinit; compinit -u -D; cd $PWD"
zpty -w z 'tell() { print -r -- "<$BUFFER>" }; zle -N tell; bindkey "^T" tell; bindkey "^I" complete-word; print rea"dy"'
zpty -r -m z told '*ready*'
for line; do
  zpty -w -n z "$line"$'\t\x14\x15'
  zpty -r -m z told '*<*>*'
  print -r -- "${${told##*<}%%>*}"
done
END
  # On a busy machine, zsh has once missed what was written to its terminal, and waited: then another one is asked.
  for _ in 1 2 3; do
    mapfile -t told < <(PATH=$(dirname "$perfsift"):$PATH HOME=$scratch TERM=dumb timeout 30 zsh -f completes \
      'perfsift fol' 'perfsift fold --wei' 'perfsift fold --weight p' 'perfsift fold --weight=p' \
      'perfsift report --sort comm,ds' 'perfsift fold z.d' 'perfsift flame --palette wak' </dev/null)
    ((${#told[@]} < 7)) || break
  done
  expect 'perfsift fold ' "${told[0]}" 'fol'
  expect 'perfsift fold --weight ' "${told[1]}" 'fold --wei'
  expect 'perfsift fold --weight period ' "${told[2]}" 'fold --weight p'
  expect 'perfsift fold --weight=period ' "${told[3]}" 'fold --weight=p'
  expect 'perfsift report --sort comm,dso ' "${told[4]}" 'report --sort comm,ds'
  expect 'perfsift fold z.data ' "${told[5]}" 'fold z.d'
  expect 'perfsift flame --palette wakeup ' "${told[6]}" 'flame --palette wak'
else
  echo "not compared: the completion of zsh (no zsh)"
fi
