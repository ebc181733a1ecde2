#!/usr/bin/env bash
# Tests the Python client and its Textual front end against the server in PAGEWIRE. Arguments go to pytest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
. .ci/need.sh
need 'python3 -m venv --help && python3 -c "import ensurepip"' python3-venv
: "${PAGEWIRE:=$PWD/.build/release/pagewire}"
export PAGEWIRE
python=$PWD/.build/client-python/bin/python3
[ -x "$python" ] || python3 -m venv .build/client-python
cd protocol/clients/python
"$python" -c 'import mypy, pytest, pytest_asyncio, textual, build' 2>/dev/null ||
  "$python" -m pip -q install 'textual>=8,<9' 'mypy>=1.13,<3' 'pytest>=8,<10' 'pytest-asyncio>=1,<2' 'build>=1,<2'
# As people get it: built, then installed from the file, without anything else.
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
cp -R pyproject.toml README.md src "$built"
"$python" -m build -q --wheel --outdir "$built/dist" "$built"
"$python" -m pip -q install --force-reinstall --no-deps "$built"/dist/*.whl
"$python" -m mypy --strict --cache-dir "$built/mypy" src
"$python" -m pytest -p no:cacheprovider "$@"
