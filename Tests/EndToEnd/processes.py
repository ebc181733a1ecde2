"""What the tests of programs that the server starts look at: processes, their descriptors, and that they end."""

import os
import time

from pagewire_client import LIMIT


def running(pid):
    """Whether a process is there and has not ended."""
    try:
        with open("/proc/%d/stat" % pid) as stream:
            # What stands in parentheses may hold anything.
            return stream.read().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def until(condition, what):
    """Waits for something that sends no message."""
    deadline = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("not within %g s: %s" % (LIMIT, what))
        time.sleep(0.01)


def descriptors(pid):
    return len(os.listdir("/proc/%d/fd" % pid))


def written(pid):
    """How many bytes a process has written in all its life."""
    with open("/proc/%d/io" % pid) as stream:
        return next(int(line.split()[1]) for line in stream if line.startswith("wchar"))
