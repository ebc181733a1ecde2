#!/usr/bin/env bash
# Tests first-pages.sh against the server in PAGEWIRE, in a real bash.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export PAGEWIRE=${PAGEWIRE:-$PWD/../../../.build/release/pagewire}
folder=$(mktemp -d) passed=0 failed=0
trap 'rm -rf "$folder"' EXIT

check() { # NAME STATUS EXPECTED-OUTPUT-FILE ARGUMENT...: what is printed, byte for byte, and the status
  local name=$1 status=$2 expected=$3 real
  shift 3
  timeout 30 bash ./first-pages.sh "$@" >"$folder/printed" 2>"$folder/errors"
  real=$?
  if [ "$real" = "$status" ] && cmp -s "$folder/printed" "$expected"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAILED: %s: status %s\n' "$name" "$real"
    diff "$expected" "$folder/printed" | head -n 10
    cat "$folder/errors"
  fi
}

says() { # NAME TEXT: the one line that the last run wrote to stderr
  if [ "$(wc -l <"$folder/errors")" = 1 ] && grep -qF -- "$2" "$folder/errors"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAILED: %s says:\n' "$1"
    cat "$folder/errors"
  fi
}

seq 1000 >"$folder/thousand"
head -n 40 "$folder/thousand" >"$folder/expected"
check "two pages" 0 "$folder/expected" "$folder/thousand"
head -n 100 "$folder/thousand" >"$folder/expected"
check "five pages" 0 "$folder/expected" "$folder/thousand" 5
check "more pages than there are" 0 "$folder/thousand" "$folder/thousand" 100000

: >"$folder/nothing"
check "an empty file" 0 "$folder/nothing" "$folder/nothing"

printf '%s\n' '"quoted" \ back\\slash \n \u00e9' '100% %s %d' -n '  blanks  ' '' 'é 你好 🙂' '{"error":{"message":"no"}}' \
  '"isLoading":false' $'tab\tbell\a escape\e[1m' $'\u2028' >"$folder/odd"
check "lines of any kind" 0 "$folder/odd" "$folder/odd"

mkdir "$folder/a \"b\" \\c"
cp "$folder/odd" "$folder/a \"b\" \\c/é"
check "a path of any kind" 0 "$folder/odd" "$folder/a \"b\" \\c/é"

check "no such file" 1 "$folder/nothing" "$folder/nosuch"
says "no such file" "nosuch"

PAGEWIRE=$folder/none check "no server" 1 "$folder/nothing" "$folder/odd"
says "no server" "none: not found"

printf '#!/bin/sh\nexit 3\n' >"$folder/ends"
chmod +x "$folder/ends"
PAGEWIRE=$folder/ends check "a server that ends at once" 1 "$folder/nothing" "$folder/odd"
says "a server that ends at once" "The server has ended."

printf '#!/bin/sh\nsleep 1; kill -9 $$\n' >"$folder/ends"
PAGEWIRE=$folder/ends check "a server that is killed" 1 "$folder/nothing" "$folder/odd"
says "a server that is killed" "The server has ended."

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
