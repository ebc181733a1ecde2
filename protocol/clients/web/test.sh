#!/usr/bin/env bash
# Tests of the web client in Chromium, against the server named by PAGEWIRE. Screens are left in .build/screenshots.
set -euo pipefail
PAGEWIRE=$(realpath "${PAGEWIRE:?has to be the path of the server}")
export PAGEWIRE
cd "$(dirname "${BASH_SOURCE[0]}")"
build=$(realpath ../../..)/.build
mkdir -p "$build"

. ../../../.ci/need.sh
need 'command -v node' nodejs
need 'command -v chromium' chromium
need 'command -v ps' procps
need 'python3 -m venv --help && python3 -c "import ensurepip"' python3-venv
python=$build/web-venv/bin/python3
[ -x "$python" ] || python3 -m venv "$build/web-venv"
"$python" -c 'import playwright' 2>/dev/null || "$python" -m pip -q install 'playwright>=1.40,<2'

status=0
log=$build/client-web.log
timeout 120 node --test --test-reporter=spec test/*.test.js >"$log" 2>&1 || status=1
sed -n '/^ℹ tests/,$p' "$log"
grep -Eq '^ℹ pass [1-9]' "$log" || status=1

# The tests wait for timers and loads more than they compute, so the files share the time.
cd test
files=(test_page test_view test_conformance test_screenshots)
for file in "${files[@]}"; do
  timeout 300 "$python" -m unittest "$file" >"$build/client-web-$file.log" 2>&1 &
done
for job in $(jobs -p); do
  wait "$job" || status=1
done
for file in "${files[@]}"; do
  echo "$file:"
  if grep -Eq '^Ran [1-9]' "$build/client-web-$file.log" && grep -q '^OK$' "$build/client-web-$file.log"; then
    grep -E '^fling:|^Ran |^OK$' "$build/client-web-$file.log"
  else
    cat "$build/client-web-$file.log"
    status=1
  fi
done
exit "$status"
