/// One of those who take turns in a workload.
struct Contender {
  /// A contender that is ready: what a round of it gives, and what is left to do when it has had its last.
  struct Run {
    var round: () throws -> Double
    var finish: () throws -> Void = {}
  }

  var name: String
  var target = Row.Target.none
  /// How many rounds it takes part in at most, spread over all; slow peers would keep everybody waiting otherwise.
  var rounds = Int.max
  /// How to install it, where it is not there.
  var install: String?
  /// Makes it ready; called before the first round.
  var start: () throws -> Run
}

/// Ours and its peers in turn, round after round (A B C A B C ...), so that whatever the machine does meets all of them.
struct Contest {
  var workload: String
  var unit: String
  var rounds: Int
  /// Rounds that are not counted: they bring programs and files into the page cache.
  var warmUp = 1
  var notes: [String] = []

  /// Runs all rounds and returns a row for each peer.
  ///
  /// A peer that misbehaves gets a row that says so and is left out from then on; where ours does, that is thrown.
  func rows(_ ours: Contender, against peers: [Contender]) throws -> [Row] {
    let own = try ours.start()
    var entries = peers.map { Entry(peer: $0, every: max(1, rounds / max(1, min($0.rounds, rounds)))) }
    for index in entries.indices { entries[index].start() }
    var alone: [Double] = []
    for round in -warmUp..<rounds {
      let due = entries.indices.filter { entries[$0].isDue(in: round, of: rounds) }
      // A round in which nobody takes part would tell nothing, unless nobody is left to.
      if due.isEmpty && entries.contains(where: { $0.run != nil }) { continue }
      Watch.rest()
      Watch.arm()
      let mine = try own.round()
      if round >= 0 { alone.append(mine) }
      for index in due {
        Watch.rest()
        entries[index].take(mine, counts: round >= 0)
      }
    }
    try own.finish()
    let rows = entries.enumerated().map { index, entry in entry.row(self, withNotes: index == 0) }
    if rows.contains(where: { !$0.theirs.isEmpty }) { return rows }
    // Ours has a figure even if nobody else has.
    return [Row(workload: workload, unit: unit, baseline: "-", ours: alone, theirs: [], notes: notes)] + rows
  }

  /// A peer and what it has done so far.
  private struct Entry {
    /// Seconds that a peer may take for a round.
    static let patience: Int32 = 30

    let peer: Contender
    let every: Int
    var run: Contender.Run?
    var failure: String?
    var ours: [Double] = []
    var theirs: [Double] = []

    init(peer: Contender, every: Int) {
      self.peer = peer
      self.every = every
    }

    mutating func start() {
      guard peer.install == nil else { return }
      Watch.arm(seconds: Self.patience)
      attempt { entry in entry.run = try entry.peer.start() }
    }

    func isDue(in round: Int, of rounds: Int) -> Bool {
      guard run != nil else { return false }
      return round < 0 ? round == -1 || every == 1 : round % every == 0 && ours.count < peer.rounds
    }

    mutating func take(_ mine: Double, counts: Bool) {
      Watch.arm(seconds: Self.patience)
      attempt { entry in
        guard let figure = try entry.run?.round(), counts else { return }
        entry.ours.append(mine)
        entry.theirs.append(figure)
      }
    }

    func row(_ contest: Contest, withNotes: Bool) -> Row {
      if let install = peer.install { return Row(workload: contest.workload, baseline: peer.name, install: install) }
      var entry = self
      entry.attempt { try $0.run?.finish() }
      if let failure = entry.failure { return Row(workload: contest.workload, baseline: peer.name, failure: failure) }
      return Row(
        workload: contest.workload, unit: contest.unit, baseline: peer.name, ours: ours, theirs: theirs,
        target: peer.target, notes: withNotes ? contest.notes : [])
    }

    private mutating func attempt(_ body: (inout Entry) throws -> Void) {
      do {
        try body(&self)
      } catch {
        let reason = (error as? Misbehaviour)?.what ?? "\(error)"
        failure = reason
        run = nil
        complain("pagewire-bench: \(peer.name) is left out: \(reason)")
      }
    }
  }
}
