import JSONText
import PageSources
import PaginationCore

/// Names a session for as long as it lives; a slot is used again, a serial never.
struct SessionNumber: Hashable, Sendable {
  let slot: Int
  let serial: Int
}

/// A session with all that it needs of the outside: its sources, their running calls, its timers.
struct HostedSession {
  /// A call of a source that has not come to its end.
  struct SourceCall {
    enum Way {
      /// A `fetchPage` request to the front end, under this id.
      case frontEnd(id: Int)
      /// A job of the worker pool, or of a thread of the source's own.
      case worker(CancellationFlag)
      /// The result is known and waits for its time.
      case delayed
      /// Not begun: the client does not read what it has got already.
      case held(PageRequest)
    }

    let ticket: Int
    let kind: LoadKind
    var way: Way
  }

  /// A timer of the core, the time of a result that is delayed, or the next look at a followed file.
  enum TimerName: Equatable {
    case core(PaginationCore.Timer)
    case delivery(ticket: Int)
    /// A followed file may be looked at again.
    case look
    /// It is time to say how far the work has come.
    case progress
  }

  struct RunningTimer {
    let name: TimerName
    let due: Int
    var result: Result<SourcePage, SourceError>?
  }

  /// Work of a source that no page waits for.
  struct WorkBehind {
    let generation: Int
    let body: @Sendable (CancellationFlag) -> Result<SourcePage, SourceError>
    let flag = CancellationFlag()
    /// The job's number; nil while it waits for its turn.
    var ticket: Int?
  }

  /// Stands first, since what is looked at most stands first in it.
  var core: PaginationSession
  let number: SessionNumber
  /// The name's JSON text, as the client wrote it.
  let name: [UInt8]
  let idPath: JSONPointer
  /// Whether ids are members `id` of the items themselves, which every scan finds on its way.
  let hasPlainIDPath: Bool
  /// The JSON text of the settings, without what must not be given back.
  let settingsText: [UInt8]
  let presentation: [UInt8]?
  /// Whether the front end gets items and ids as strings that hold their JSON text, and names ids so too.
  let itemsAsText: Bool

  /// The list's source.
  var source: any PageSource
  /// The JSON text that describes it in `state`.
  var sourceText: [UInt8]
  /// Tells it from others, in other processes too.
  var sourceDigest: UInt64
  /// Sources opened for a refresh that is not committed, by its generation.
  var refreshSources: [RefreshSource] = []
  /// The JSON text of the id that the front end says it shows.
  var scrolledText: [UInt8]?
  /// Whether it was named before any item was there to show if it is an id of items or a key of their source.
  var isScrolledIDUnsettled = false
  /// What a refresh has gathered: items and ids, each with commas between.
  var gatheredItems: [UInt8] = []
  var gatheredIDs: [UInt8] = []

  /// What becomes of a file that is followed; nil for all other sources.
  var following: Following?

  /// What its source does behind the pages, nil where that is nothing.
  var workBehind: WorkBehind?

  /// What is told of work that takes long; nil where nobody asked for it.
  var progress: WorkProgress?

  var calls: [SourceCall] = []
  var timers: [RunningTimer] = []

  /// The name's characters.
  var decodedName: [UInt8] { JSONReader.stringBytes(name.span, JSONSlice(start: 0, end: name.count)) ?? [] }

  /// When the first of its timers is due, nil where none runs.
  var nextDue: Int? {
    var first: Int?
    for timer in timers where timer.due < first ?? Int.max { first = timer.due }
    return first
  }

  /// A source that a refresh brought along.
  struct RefreshSource {
    var generation: Int
    let opened: OpenedSource
  }

  /// The source that a fetch of this generation goes to.
  func source(for generation: Int) -> any PageSource {
    refreshSources.first { $0.generation == generation }?.opened.source ?? source
  }
}

extension Array {
  /// Takes an element out; the last one takes the array's memory with it, which ten thousand sessions at rest would keep.
  mutating func take(at index: Int) -> Element {
    let element = remove(at: index)
    if isEmpty { self = [] }
    return element
  }
}
