#!/usr/bin/env bash
# Tests of the Node client against the server named by PAGEWIRE.
set -euo pipefail
PAGEWIRE=$(realpath "${PAGEWIRE:?has to be the path of the server}")
export PAGEWIRE
cd "$(dirname "${BASH_SOURCE[0]}")"

. ../../../.ci/need.sh
need 'command -v node' nodejs
need 'command -v tsc' node-typescript
need 'command -v ps' procps
need 'command -v python3' python3

echo "types: $(tsc --version)"
tsc -p test

# Installed as a package, where npm is there: what `files` and `exports` leave out would be missed.
if command -v npm >/dev/null; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  npm pack --silent --pack-destination "$folder" >/dev/null
  (cd "$folder" && npm install --silent --offline --no-audit --no-fund ./pagewire-*.tgz >/dev/null &&
    node --input-type=module -e 'import { Pagewire } from "pagewire"; const s = new Pagewire(); await s.start(); await s.close(); console.log("installed as a package")')
fi

mkdir -p ../../../.build
log=../../../.build/client-node.log
status=0
timeout 120 node --test --test-reporter=spec test/*.test.js >"$log" 2>&1 || status=$?
sed -n '/^ℹ tests/,$p' "$log"
# A run without tests is no success either.
grep -Eq '^ℹ pass [1-9]' "$log" && exit "$status"
exit 1
