#!/usr/bin/env bash
# The unit tests under a sanitizer: `Tests/Sanitizers/run.sh address` or `thread` (both if none is named), with the options of
# `swift test` behind it, such as `--filter PageSourcesTests`. Each has a build of its own under .build, some minutes at first.
# Ends non-zero where a test fails or the sanitizer has something to say.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

case "${1:-}" in
address | thread) kinds=$1 && shift ;;
*) kinds="address thread" ;;
esac

for kind in $kinds; do
  mkdir -p .build
  log=$PWD/.build/sanitizer-$kind.log
  scratch=$PWD/.build/$kind
  tree=$PWD
  left_out=()
  if [ "$kind" = thread ]; then
    tree=$PWD/.build/thread-tree
    rm -rf "$tree" && mkdir "$tree"
    git ls-files -z | xargs -0 cp --parents -t "$tree"
    for folder in $(grep -rl 'Mutex[<(]' "$tree/Sources" "$tree/Tests" --include='*.swift' | sed "s#^$tree/\([^/]*/[^/]*\)/.*#\1#" | sort -u); do
      [ "$folder" = Tests/Sanitizers ] || cp Tests/Sanitizers/Mutex.swift "$tree/$folder/"
    done
    # The sanitizer makes a fork of vfork, in which the system's reason cannot come back from the child that did not start.
    left_out=(--skip whatCannotBeStartedSaysWhy --skip aProgramWithASlashIsFoundFromItsDirectory)
  fi
  # A race or a leak ends the run with a status of its own even where no test noticed.
  (cd "$tree" && ASAN_OPTIONS=detect_leaks=1:exitcode=98 TSAN_OPTIONS=halt_on_error=0:exitcode=98 \
    swift test --disable-xctest --sanitize="$kind" --scratch-path "$scratch" "${left_out[@]}" "$@" 2>&1) | tee "$log" |
    grep -v 'ld.gold: warning' | grep -E 'WARNING: ThreadSanitizer|ERROR: |SUMMARY: |✘|Test run with|error:' || true
  if ! grep -Eq 'Test run with [1-9][0-9]* tests? .*passed' "$log" || grep -Eq 'ThreadSanitizer: |AddressSanitizer: |LeakSanitizer: ' "$log"; then
    echo "the $kind sanitizer or a test under it has found something: see $log" >&2
    exit 1
  fi
done
