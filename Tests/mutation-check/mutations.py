"""Planted faults: each is one line of the core changed in a way that a person could have written.

A fault names the file, the text that stands there once, what takes its place, and what it breaks in plain words.
"""

from collections import namedtuple

Mutation = namedtuple("Mutation", "name file old new")

SESSION = "PaginationSession.swift"
LOADS = "PaginationSession+Loads.swift"
COMMIT = "PaginationSession+Commit.swift"
REFRESH = "PaginationSession+Refresh.swift"
REQUESTS = "PaginationSession+Requests.swift"
APPEARANCES = "PaginationSession+Appearances.swift"
WINDOW = "PaginationSession+Window.swift"
FOLLOWING = "PaginationSession+Following.swift"
GEOMETRY = "PaginationSession+Geometry.swift"

MUTATIONS = [
    Mutation(
        "demand at the end is not weighed after a page",
        COMMIT,
        "    weigh(.end, now: now)\n    weigh(.start, now: now)\n  }\n\n  /// Whether the source has become so short",
        "    weigh(.start, now: now)\n  }\n\n  /// Whether the source has become so short",
    ),
    Mutation(
        "a cycle is asked for again",
        REQUESTS,
        "latch.failure.repeatsItems {\n      if let waiter",
        "latch.failure.repeatsItems && waiter == nil {\n      if let waiter",
    ),
    Mutation(
        "two loads run while nothing is loaded",
        REQUESTS,
        "if list.isEmpty && join(at: edge == .end ? .start : .end, waiter: waiter) { return }",
        "",
    ),
    Mutation(
        "the last appearance counts and not the furthest",
        APPEARANCES,
        "demand.end = max(demand.end ?? position, position)",
        "demand.end = position",
    ),
    Mutation(
        "the zone is one item too small",
        APPEARANCES,
        "case .end: list.items.last &- position <= settings.prefetchThreshold",
        "case .end: list.items.last &- position < settings.prefetchThreshold",
    ),
    Mutation(
        "an answer is taken whatever its ticket",
        LOADS,
        "guard let load = direction(at: edge).load, load.ticket == ticket, load.step == .fetching else { continue }\n"
        "      stopTimer",
        "guard let load = direction(at: edge).load, load.step == .fetching else { continue }\n      stopTimer",
    ),
    Mutation(
        "a call that nobody wants any more goes on",
        LOADS,
        "if load.step == .fetching { emit(.cancelFetch(ticket: load.ticket)) }",
        "if load.step != .fetching { emit(.cancelFetch(ticket: load.ticket)) }",
    ),
    Mutation(
        "the timer of a load that ended goes on",
        LOADS,
        "    stopTimer(of: load)\n    if load.step == .fetching",
        "    if load.step == .fetching",
    ),
    Mutation(
        "one try too many",
        LOADS,
        "attempt <= settings.retry.retries else",
        "attempt <= settings.retry.retries + 1 else",
    ),
    Mutation(
        "a load that is rolled back forgets the failure that stood before it",
        LOADS,
        "    setState(load.former, at: edge)\n    demand.forgetFire",
        "    setState(.ready, at: edge)\n    demand.forgetFire",
    ),
    Mutation(
        "a visible loader is no want",
        LOADS,
        "return demand.isLoaderVisible(at: edge)",
        "return false",
    ),
    Mutation(
        "a caller that joins is told it started the load",
        REQUESTS,
        "load.waits.append(Load.Wait(waiter: waiter, joined: true))",
        "load.waits.append(Load.Wait(waiter: waiter, joined: false))",
    ),
    Mutation(
        "a cancelled waiter is told twice",
        REQUESTS,
        "      cancelIfUnwanted(at: edge)\n      emit(.cancelled(waiter))",
        "      emit(.cancelled(waiter))\n      cancelIfUnwanted(at: edge)\n      emit(.cancelled(waiter))",
    ),
    Mutation(
        "an item resets no count of empty pages",
        COMMIT,
        "atEnd.emptyRun = added == 0 ? atEnd.emptyRun + 1 : 0",
        "atEnd.emptyRun = added == 0 ? atEnd.emptyRun + 1 : atEnd.emptyRun",
    ),
    Mutation(
        "a cursor counts as seen only while it is the present one",
        COMMIT,
        "      if !seen.insert(fingerprint(of: cursor)) {\n        return Continuation(next: next, failure: "
        "cycle(cursor, at: place, arrival))",
        "      if place.cursor == cursor {\n        return Continuation(next: next, failure: "
        "cycle(cursor, at: place, arrival))",
    ),
    Mutation(
        "the offset follows what was asked for and not what came",
        COMMIT,
        "var next = PagePlace(page: place.page + 1, offset: place.offset + received)",
        "var next = PagePlace(page: place.page + 1, offset: place.offset + settings.pageSize)",
    ),
    Mutation(
        "demand at the start is not used up",
        COMMIT,
        "        demand.start = nil\n",
        "",
    ),
    Mutation(
        "pages of a loader are not counted",
        COMMIT,
        "if demand.isLoaderVisibleAtEnd { demand.unseenPages += 1 }",
        "if demand.isLoaderVisibleAtStart { demand.unseenPages += 1 }",
    ),
    Mutation(
        "the facts of a page are those from before it",
        COMMIT,
        "    let result = settle(load, failure: failure, at: edge, now: now)\n",
        "    let facts = self.facts\n    let result = settle(load, failure: failure, at: edge, now: now)\n",
    ),
    Mutation(
        "a refresh leaves the load at the start running",
        REFRESH,
        "    for edge in [Edge.end, .start] {\n      if let load = direction(at: edge).load { rollBack",
        "    for edge in [Edge.end] {\n      if let load = direction(at: edge).load { rollBack",
    ),
    Mutation(
        "demand is not weighed after a failed refresh",
        REFRESH,
        "    for wait in refresh.load.waits { emit(.fail(wait.waiter, failure)) }\n    weigh(.end, now: now)\n",
        "    for wait in refresh.load.waits { emit(.fail(wait.waiter, failure)) }\n",
    ),
    Mutation(
        "a refresh fetches one page too many",
        REFRESH,
        "refresh.list.count < refresh.formerCount",
        "refresh.list.count <= refresh.formerCount",
    ),
    Mutation(
        "a refresh that takes over another's source keeps the old beginning",
        REFRESH,
        "    if let earlier, !earlier.hasCleared { return earlier.firstCursor }\n",
        "",
    ),
    Mutation(
        "demand is lost in a refresh",
        REFRESH,
        "    moveDemand(carried)\n",
        "",
    ),
    Mutation(
        "the page behind the zone is dropped and asked for at once",
        WINDOW,
        "let margin = settings.prefetchThreshold + 1",
        "let margin = settings.prefetchThreshold",
    ),
    Mutation(
        "a side that somebody waits for is dropped",
        WINDOW,
        "return load.waits.isEmpty && !load.isPinned",
        "return true",
    ),
    Mutation(
        "demand out of sight brings back what the window has dropped",
        WINDOW,
        "isInZone(end, of: .end) { demand.end",
        "end > list.items.last { demand.end",
    ),
    Mutation(
        "dropped pages come back the furthest first",
        WINDOW,
        "let places = (0..<count).compactMap { _ in list.dropPage(at: edge)?.place }",
        "let places = (0..<count).compactMap { _ in list.dropPage(at: edge)?.place }.reversed().map { $0 }",
    ),
    Mutation(
        "geometry from before an append still counts",
        GEOMETRY,
        "{ demand.ageGeometry() }",
        "{ _ = fire }",
    ),
    Mutation(
        "one geometry is weighed again for ever",
        "Demand.swift",
        "guard geometry != nil, renewals < bound else { return }",
        "guard geometry != nil, renewals <= bound + 1_000_000 else { return }",
    ),
    Mutation(
        "items that are loaded are added again",
        "ItemIndex.swift",
        "unlessLoaded: dedupe && id.isItemID",
        "unlessLoaded: false",
    ),
    Mutation(
        "an id that a prepended page repeats stays",
        "LoadedList.swift",
        "if items.contains(ids[index]) || !within.insert(ids[index])",
        "if items.contains(ids[index])",
    ),
    Mutation(
        "the number of a refresh is used again",
        REFRESH,
        "    lastGeneration += 1\n",
        "    lastGeneration = generation + 1\n",
    ),
    Mutation(
        "a look at another generation's tail is committed",
        FOLLOWING,
        "guard generation == self.generation, tail == place else { return [] }\n    if list.count",
        "guard tail == place else { return [] }\n    if list.count",
    ),
    Mutation(
        "the tail stays where it was",
        FOLLOWING,
        "    atEnd.tail = .at(following(place, arrival))\n",
        "",
    ),
    Mutation(
        "a token's way back is forgotten",
        SESSION,
        "    for place in settings.start.earlier { atStart.dropped.append(place) }\n",
        "",
    ),
    Mutation(
        "the first who waits gets no answer",
        COMMIT,
        "    for wait in load.waits {\n",
        "    for wait in load.waits.dropFirst() {\n",
    ),
    Mutation(
        "an error does not latch",
        LOADS,
        "    setState(.latched(.init(failure: failure, kind: load.kind, since: now)), at: edge)\n",
        "    setState(.ready, at: edge)\n",
    ),
    Mutation(
        "an edge that has more only in pages that were dropped has ended",
        "LoadDirection.swift",
        "var hasMore: Bool { next != nil || !dropped.isEmpty }",
        "var hasMore: Bool { next != nil }",
    ),
    Mutation(
        "ids stay when their page is dropped",
        "ItemIndex.swift",
        "      remove(at: first)\n      first &+= 1",
        "      first &+= 1",
    ),
    Mutation(
        "empty pages are loaded without end",
        COMMIT,
        "direction.emptyRun >= settings.maxEmptyPages",
        "direction.emptyRun >= settings.maxEmptyPages * 50",
    ),
]

# Of each kind one, for a run of a few minutes.
SHORT = [
    "demand at the end is not weighed after a page",
    "an answer is taken whatever its ticket",
    "a call that nobody wants any more goes on",
    "a caller that joins is told it started the load",
    "a cursor counts as seen only while it is the present one",
    "the offset follows what was asked for and not what came",
    "a refresh leaves the load at the start running",
    "demand is not weighed after a failed refresh",
    "demand out of sight brings back what the window has dropped",
    "a side that somebody waits for is dropped",
    "an error does not latch",
    "ids stay when their page is dropped",
]
