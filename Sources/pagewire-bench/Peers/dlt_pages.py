"""dlt's REST client as its documentation has it, told where the next URL is. argv: the first URL.

For each line of its input it reads all pages and prints how many items those held and how many nanoseconds it took.
"""

import sys
import time

from dlt.sources.helpers.rest_client import RESTClient
from dlt.sources.helpers.rest_client.paginators import JSONLinkPaginator

origin, path = sys.argv[1].rsplit("/", 1)
client = RESTClient(base_url=origin)
print("ready", flush=True)
for _ in sys.stdin:
    begin, count = time.perf_counter_ns(), 0
    for page in client.paginate(path, paginator=JSONLinkPaginator(next_url_path="next"), data_selector="items"):
        count += len(page)
    print(count, time.perf_counter_ns() - begin, flush=True)
