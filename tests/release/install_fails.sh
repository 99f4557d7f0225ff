#!/bin/bash
# install.sh and uninstall.sh of a small release that is made here: killed or failing at each step, alone and over an earlier
# version; their arguments; prefixes with unusual names.
#
#   install_fails.sh SOURCE
set -euo pipefail
source=$(realpath -e "$1")
fail() { echo "$*" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
state() { (cd "$1" && find . -type f -exec sha256sum {} + -o -printf '%p %l\n' | sort); }

make_release() { # VERSION, which has a file and a folder of its own
  local folder=perfsift-$1 own=share/perfsift/of-$1
  mkdir -p "$folder"/{bin,lib/perfsift,share/perfsift} "$folder/$own"
  cp "$source/cmake/release/install.sh" "$folder"
  cp "$source/cmake/release/uninstall.sh" "$folder/share/perfsift"
  printf '#!/bin/sh\necho perfsift %s\n' "$1" >"$folder/bin/perfsift"
  echo "$1" | tee "$folder/lib/perfsift/libc.so" >"$folder/$own/file"
  ln -s perfsift "$folder/bin/link"
  chmod +x "$folder/bin/perfsift" "$folder/install.sh" "$folder/share/perfsift/uninstall.sh"
  touch "$folder/share/perfsift/files"
  (cd "$folder" && find bin lib share ! -type d | sort >list && mv list share/perfsift/files)
}
make_release 1
make_release 2

# Programs that count, and at one call stop install.sh: a cp that is killed has written a part of a file.
mkdir tools
for tool in cp mv mkdir rm rmdir; do
  cat >"tools/$tool" <<END
#!/bin/sh
read -r calls <"$scratch/calls"
echo \$((calls + 1)) >"$scratch/calls"
if [ \$calls = "\$STOP_AT" ]; then
  [ \$HOW = kill ] || exit 1
  for last; do :; done
  [ $tool != cp ] || echo part >"\$last"
  kill -KILL \$PPID
  exit 1
fi
exec $(command -v "$tool") "\$@"
END
done
chmod +x tools/*
install_version() { # VERSION PREFIX
  env -i PATH="$PATH" PREFIX="$2" "perfsift-$1/install.sh" >log 2>&1
}
stop_version() { # VERSION PREFIX HOW CALL: whether this call was reached
  echo 0 >calls
  ! (env -i PATH="$scratch/tools:$PATH" HOW="$3" STOP_AT="$4" PREFIX="$2" "perfsift-$1/install.sh" >log 2>&1; exit $?) 2>/dev/null  # by bash
}
uninstall() { "$1/share/perfsift/uninstall.sh" >uninstall.log 2>&1 || fail "$2: uninstall.sh fails: $(cat uninstall.log)"; }
same_state() { # WHAT
  state place | diff before - || fail "$1: these are left, or are missing; install.sh said: $(cat log)"
}

# Into a prefix that is not there, and at some steps into one with files of others.
step=1
for prefix in place/opt/perf\ sift place/usr; do
  rm -rf place && mkdir -p place/usr/{bin,share}
  echo other >place/usr/bin/other
  state place >before
  for ((call = 0; ; call += step)); do
    stop_version 1 "$prefix" kill "$call" || break
    if [[ -e $prefix/share/perfsift/uninstall.sh ]]; then
      uninstall "$prefix" "killed at call $call"
      same_state "killed at call $call, and removed"
      stop_version 1 "$prefix" kill "$call"
    fi
    install_version 1 "$prefix" || fail "killed at call $call, install.sh fails: $(cat log)"
    uninstall "$prefix" "killed at call $call, and installed"
    same_state "killed at call $call, installed and removed"
    if stop_version 1 "$prefix" fail "$call"; then
      grep -q 'failed; nothing was installed' log || fail "failed at call $call, and says: $(cat log)"
    else
      uninstall "$prefix" "failed at call $call, which does not matter"
    fi
    same_state "failed at call $call"
  done
  ((call > 20)) || fail "only $call calls were counted"
  uninstall "$prefix" "installed"
  same_state "installed and removed"
  step=4
done

# Over an earlier version, which works until the other one does.
mkdir -p place/usr
state place >before
install_version 1 place/usr
state place >of_earlier
restored=0
for how in fail kill; do
  for ((call = 0; ; call++)); do
    stop_version 2 place/usr "$how" "$call" || break
    [[ $(place/usr/bin/perfsift) == perfsift\ [12] ]] || fail "over an earlier version, $how at call $call: no perfsift is left"
    if grep -q 'the earlier version is as it was' log; then
      state place | diff of_earlier - || fail "over an earlier version, failed at call $call: it is not as it was: $(cat log)"
      restored=$((restored + 1))
      continue
    fi
    install_version 2 place/usr || fail "over an earlier version, $how at call $call: install.sh fails: $(cat log)"
    [[ $(place/usr/bin/perfsift) == "perfsift 2" && $(cat place/usr/lib/perfsift/libc.so) == 2 ]] || fail "$how at call $call, and installed: not the new version"
    [[ ! -e place/usr/share/perfsift/of-1 ]] || fail "$how at call $call, and installed: files of the earlier version are left"
    uninstall place/usr "over an earlier version, $how at call $call"
    same_state "over an earlier version, $how at call $call, installed and removed"
    install_version 1 place/usr
  done
  uninstall place/usr "over an earlier version"
  same_state "over an earlier version, installed and removed"
  install_version 1 place/usr
done
((restored > 5)) || fail "only $restored failures left the earlier version as it was"
uninstall place/usr "the earlier version"

# Arguments, of which none is expected. With two unpacked versions, perfsift-*/install.sh makes the second one an argument.
refuse() { # STATUS TEXT COMMAND...
  local status=0
  env -i PATH="$PATH" HOME="$scratch/place" "${@:3}" >log 2>&1 || status=$?
  [[ $status == "$1" ]] && grep -qF -- "$2" log || fail "${*:3}: status $status: $(cat log)"
  same_state "${*:3}"
}
refuse 2 "'perfsift-2/install.sh': unexpected argument" perfsift-*/install.sh
refuse 2 "'--prefix=/opt': unexpected argument" perfsift-1/install.sh --prefix=/opt
refuse 0 "PREFIX is /usr/local for root" perfsift-1/install.sh --help
(($(wc -l <log) == 2)) || fail "install.sh --help prints: $(cat log)"
touch file
refuse 1 "file is no folder" PREFIX=file/below perfsift-1/install.sh
refuse 1 "has .. after a folder that does not exist" PREFIX=none/../other perfsift-1/install.sh
install_version 1 place/usr
state place >before
refuse 2 "'now': unexpected argument" place/usr/share/perfsift/uninstall.sh now
refuse 0 "Files of others stay" place/usr/share/perfsift/uninstall.sh --help
(($(wc -l <log) == 2)) || fail "uninstall.sh --help prints: $(cat log)"
uninstall place/usr "after wrong arguments"

# A relative path is not looked for in $CDPATH, and the line that is printed for the shell is right for any name.
export CDPATH=$scratch
env -i CDPATH="$scratch" PATH="$PATH" PREFIX="place/./it's a \$HOME//" sh perfsift-1/install.sh >log 2>&1 || fail "with CDPATH, install.sh fails: $(cat log)"
line=$(sed -n 's/^Add to .*: PATH=/PATH=/p' log)
[[ $(sh -c "$line; perfsift") == "perfsift 1" ]] || fail "the shell cannot use the line $line"
cd "place/it's a \$HOME" >/dev/null
env -i CDPATH="$scratch" PATH="$PATH" sh share/perfsift/uninstall.sh >"$scratch/log" 2>&1 || fail "with CDPATH, uninstall.sh fails: $(cat "$scratch/log")"
echo "install.sh: $call steps over an earlier version were killed or failed, and nothing is left"
