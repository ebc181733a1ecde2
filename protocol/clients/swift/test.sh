#!/usr/bin/env bash
# Builds the example from the library product, and tests it against the server and with the conformance kit.
# PAGEWIRE: the release binary.
set -euo pipefail
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../..")
. "$root/.ci/need.sh"
need 'command -v python3' python3
PAGEWIRE=$(realpath -e "${PAGEWIRE:-$root/.build/release/pagewire}")
# Below the root's build folder, so that a second run finds what the first has built.
build=(swift build --package-path "$root/protocol/clients/swift" --scratch-path "$root/.build/clients-swift")
"${build[@]}"
programs=$("${build[@]}" --show-bin-path)
# The lines of README.md, as they are built.
cd "$root/protocol/clients/swift"
sed -n '/^import PagewireAsync$/,/^```$/{/^```$/q;p}' README.md | diff - Sources/ten-lines/main.swift
PATH=$(dirname "$PAGEWIRE"):$PATH "$programs/ten-lines" | diff - <(awk '{ print NR - 1, $0 }' README.md)
PAGEWIRE_LIST=$programs/pagewire-list
export PAGEWIRE PAGEWIRE_LIST
python3 "$root/protocol/conformance/test_text_list.py"
