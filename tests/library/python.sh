#!/bin/bash
# The Python package, installed beside the library and as a wheel that has the library inside.
#
#   python.sh PERFSIFT BUILD SOURCE SCHED_RECORDING PYTHON
set -euo pipefail
perfsift=$(realpath -e "$1") build=$(realpath -e "$2") source=$(realpath -e "$3") python=$5
here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$4" "$scratch/switches.data"
cd "$scratch"
export PERFSIFT=$perfsift TESTDATA=$source/testdata SWITCHES=$scratch/switches.data PYTHONDONTWRITEBYTECODE=1

for component in library python; do
  cmake --install "$build" --component "$component" --prefix "$scratch/installed" >/dev/null
done
libraries=$(dirname "$(find "$scratch/installed" -name libperfsift.so.0)")
LD_LIBRARY_PATH=$libraries PYTHONPATH=$scratch/installed/lib/python3/dist-packages \
  EXAMPLE=$(find "$scratch/installed" -name hot_functions.py) "$python" -B "$here/python_test.py"
LD_LIBRARY_PATH=$libraries PYTHONPATH=$scratch/installed/lib/python3/dist-packages \
  "$python" -B "$here/python_sampling_test.py"

# The wheel is made from a copy of the tree, because pip writes into the tree.
mkdir tree
cp -r "$source"/{python,pyproject.toml,setup.py,CMakeLists.txt,LICENSE} tree
PERFSIFT_LIBRARY=$libraries/libperfsift.so.0 "$python" -m pip --disable-pip-version-check install --quiet \
  --no-build-isolation --no-index --no-deps --no-compile --root-user-action=ignore --target wheel ./tree
PYTHONPATH=wheel "$python" -B -c '
import perfsift, sys
assert perfsift.__file__.startswith(sys.argv[1]), perfsift.__file__
print(len(perfsift.open(sys.argv[2]).samples()), "samples")' "$scratch/wheel" "$TESTDATA/demo.data"
