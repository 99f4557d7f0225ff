#!/bin/bash
# The modules of pages and pictures: each used name is declared, each declared or imported name is used, and no line has
# more than 120 columns. The compiler of TypeScript finds the names. Its complaints about types are left out, because
# the modules declare no types.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v tsc >/dev/null || { echo "skipped: no tsc (package node-typescript)"; exit 77; }

# Syntax, and names that are unknown, imported but not used, declared twice, changed though constant, or not used.
kinds='TS(1[0-9]{3}|2300|2304|2305|2307|2451|2552|2588|6133|6192|6196|6198|6199)'
status=0
complaints=$(tsc --allowJs --checkJs --noEmit --target es2022 --module es2022 --lib es2022,dom,dom.iterable \
  --moduleResolution node --noUnusedLocals --noUnusedParameters --pretty false tests/house/newer_browsers.d.ts \
  output/*/web/main.js) || true  # there are always complaints about types
grep -E "error $kinds:" <<<"$complaints" && status=1
LC_ALL=C.UTF-8 grep -nE '^.{121,}' output/web/* output/*/web/* && status=1
exit "$status"
