#!/usr/bin/env bash
# Tests the plugin in a real Neovim, against the server in PAGEWIRE.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
. .ci/need.sh
need 'command -v nvim' neovim
need 'python3 -m venv --help && python3 -c "import ensurepip"' python3-venv
[ -x .build/ci-venv/bin/python3 ] || python3 -m venv .build/ci-venv
.build/ci-venv/bin/python3 -c 'import pyte' 2>/dev/null || .build/ci-venv/bin/python3 -m pip -q install 'pyte>=0.8,<1'
exec .build/ci-venv/bin/python3 protocol/clients/neovim/tests/test_neovim.py "$@"
