"""A list for Textual that loads as it is scrolled, and a program around it: `pagewire-textual SOURCE`."""

from .app import PagewireApp, main
from .list import PagewireList

__all__ = ["PagewireApp", "PagewireList", "main"]
