# Packs recordings and opens them on another machine, to be sourced after expect.sh. The other machine is a root with nothing but
# perfsift, which starts by a loader and libraries in a folder of their own; without the rights for chroot, it is this machine
# after the files were moved away. The caller must set perfsift, and be in an empty folder; it may set workload to a program
# whose source both sides shall find.
# shellcheck shell=bash disable=SC2154

# Makes a root in which perfsift runs and finds no library in the usual places.
make_root() {
  mkdir -p root/private root/tmp root/data
  local library
  for library in $(ldd "$perfsift" | grep -o '/[^ ]*'); do cp "$library" root/private/; done
  cp "$perfsift" root/private/perfsift
  [[ ! ${workload-} ]] || lay_sources
  loader=$(basename "$(ldd "$perfsift" | grep -o '/[^ ]*ld-[^ ]*' | head -n 1)")
  chroot root /private/"$loader" --library-path /private /private/perfsift --version >/dev/null 2>&1
}
# Source files are not packed. They are laid where the program's debug information has them, which is the path by which the
# compiler was called: with a link in it, another one than that of this script.
lay_sources() {
  local place
  place=$(addr2line -e "$workload" "0x$(nm "$workload" | awk '$3 == "main" { print $1 }')")
  cp --recursive --parents "${place%:*}" /usr/include/c++ root/ || echo "the source of $workload is not found: $place"
}
if make_root; then
  elsewhere() { chroot root /private/"$loader" --library-path /private /private/perfsift "$@"; }
  folder=root/data inside=/data
else
  echo "no chroot here: the files of the recording are moved away instead"
  elsewhere() { "$perfsift" "$@"; }
  mkdir away
  folder=away inside=away
fi

# The output and the messages of a command on the recording, with OPTIONS that find its files, and elsewhere on the packed
# one must be equal.
compare() { # RECORDING OPTIONS… -- COMMAND…
  local recording=$1 options=()
  shift
  while [[ $1 != -- ]]; do options+=("$1") && shift; done
  shift
  "$perfsift" "$@" "${options[@]}" "$recording" >expected 2>expected.errors
  local status=$?
  # A library in which a sample happens to be: elsewhere, no server is asked.
  sed -i '/^perfsift: warning: debuginfod: .*: no server has it$/d' expected.errors
  local name
  name=$(basename "$recording") # in headings
  elsewhere "$@" "$inside/$name" >actual 2>actual.errors
  local other=$?
  sed -i "s|$recording|$name|g" expected expected.errors
  sed -i "s|$inside/$name|$name|g" actual actual.errors
  if ((status == other)) && [[ -s expected ]] && cmp -s expected actual && cmp -s expected.errors actual.errors; then
    echo "equal: $* ($(wc -l <expected) lines)"
  else
    echo "DIFFERENT: $* (exit statuses $status and $other)"
    diff expected actual | head -n 6
    diff expected.errors actual.errors | head -n 6
    failures=$((failures + 1))
  fi
}

pack() { # ARGUMENTS…
  packed=$folder/$(basename "${*: -1}")
  "$perfsift" pack "$@" -o "$packed" >packed.said 2>packed.errors || {
    echo "WRONG: pack $*: $(cat packed.errors)"
    failures=$((failures + 1))
  }
}
