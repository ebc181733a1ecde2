#!/usr/bin/env bash
# Tests the package in a real Emacs, against the server in PAGEWIRE.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
. .ci/need.sh
need 'command -v emacs' emacs-nox
need 'python3 -m venv --help && python3 -c "import ensurepip"' python3-venv
[ -x .build/ci-venv/bin/python3 ] || python3 -m venv .build/ci-venv
.build/ci-venv/bin/python3 -c 'import pyte' 2>/dev/null || .build/ci-venv/bin/python3 -m pip -q install 'pyte>=0.8,<1'
exec .build/ci-venv/bin/python3 protocol/clients/emacs/tests/test_emacs.py "$@"
