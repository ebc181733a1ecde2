#!/usr/bin/env bash
# Tests the client in Perl against the server and with the conformance kit. PAGEWIRE: the release binary.
set -euo pipefail
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../..")
. "$root/.ci/need.sh"
need 'perl -MJSON::PP -MIPC::Open2 -MIO::Select -e 1' perl
need 'command -v python3' python3
PAGEWIRE=$(realpath -e "${PAGEWIRE:-$root/.build/release/pagewire}")
# The ten lines of README.md.
sed -n '/^```perl$/,/^```$/p' "$root/protocol/clients/perl/README.md" | sed '1d;$d' | PATH=$(dirname "$PAGEWIRE"):$PATH perl - |
  diff - <(printf 'Item %d\n' 0 1 2)
export PAGEWIRE PAGEWIRE_LIST=$root/protocol/clients/perl/pagewire-list
python3 "$root/protocol/conformance/test_text_list.py"
