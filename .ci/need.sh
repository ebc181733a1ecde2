# Read by .ci/run and by the test.sh of each client: brings Debian's packages where they are missing.

need() { # COMMAND-THAT-SUCCEEDS-IF-IT-IS-THERE PACKAGE...
  eval "$1" >/dev/null 2>&1 && return
  shift
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "missing: $* (install it, or run this as root on Debian)" >&2
    exit 1
  fi
  if [ -z "${apt_updated:-}" ]; then
    apt-get -qq update
    apt_updated=yes
  fi
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq -y --no-install-recommends install "$@" >/dev/null
}
