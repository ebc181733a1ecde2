"""A client of the Pagewire pagination server: lists of any length, loaded page by page as they are looked at."""

from ._client import AsyncClient, Client, Pipes
from ._core import PROTOCOL, List
from ._wire import Failure, Frames, Gone, PagedList, PagewireError, frame

__all__ = ["AsyncClient", "Client", "Failure", "Frames", "Gone", "List", "PagedList", "PagewireError"]
__all__ += ["PROTOCOL", "Pipes", "frame"]
