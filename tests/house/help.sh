#!/bin/bash
# Versions and help: the parts that depend on the program itself and on a terminal.
#   help.sh PERFSIFT
set -euo pipefail
perfsift=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() { echo "$*" >&2; exit 1; }

version=$("$perfsift" --version)
[[ ${version%%$'\n'*} =~ ^perfsift\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "--version prints $version"
grep -qvE '^(perfsift|commit|compiler|library [^ ]+|feature [a-z]+) [^ ].*$' <<<"$version" && fail "--version prints $version"
while read -r library package; do
  installed=$(pkg-config --modversion "$package")
  grep -qx "library $library $installed" <<<"$version" || fail "--version does not name $library $installed: $version"
done <<'END'
elfutils libdw
zlib zlib
zstd libzstd
liblzma liblzma
fmt fmt
END
[[ $("$perfsift" -V) == "$("$perfsift" --version)" ]] || fail "-V differs from --version"

# A man(1) that has one page, perfsift-fold(1).
touch page
cat >man <<'END'
#!/bin/sh
case "$*" in
  "-w 1 perfsift-fold") echo "${0%/man}/page" ;;
  "1 perfsift-fold") echo "the page" ;;
  "-l "*/share/man/man1/perfsift-fold.1) echo "the page beside the program" ;;
  *) exit 16 ;;
esac
END
chmod +x man
PATH=$scratch:$PATH
on_terminal() { # ARGUMENT...: the first line that perfsift prints on a terminal
  script -qec "'$perfsift' $*" typescript </dev/null | tr -d '\r' | sed -n 1p
}
[[ $(on_terminal help fold) == "the page" ]] || fail "help fold shows $(on_terminal help fold)"
[[ $(on_terminal help flame) == "Usage: perfsift flame "* ]] || fail "help flame shows $(on_terminal help flame)"
[[ $("$perfsift" help fold) == "Usage: perfsift fold "* ]] || fail "help fold shows the page without a terminal"

# A program that was started by its path has its pages beside it, where man(1) does not search.
mkdir -p installed/bin installed/share/man/man1
cp "$perfsift" installed/bin/perfsift
cp page installed/share/man/man1/perfsift-fold.1
perfsift=$scratch/installed/bin/perfsift
[[ $(on_terminal help fold) == "the page beside the program" ]] || fail "help fold shows $(on_terminal help fold), not the page beside the program"
[[ $(on_terminal help flame) == "Usage: perfsift flame "* ]] || fail "help flame shows $(on_terminal help flame)"
