// The geometry trigger and its height gates.
extension PaginationSession {
  /// Whether the last geometry lies strictly nearer to an edge than the trigger's limit.
  func isNear(_ edge: Edge) -> Bool {
    guard case .distance(let trigger) = settings.trigger, let geometry = demand.geometry else { return false }
    let limit: Double
    switch trigger.limit {
    case .relative(let share): limit = share * geometry.viewport
    case .absolute(let length): limit = length
    }
    switch edge {
    case .start: return geometry.offset < limit
    case .end: return geometry.content - (geometry.offset + geometry.viewport) < limit
    }
  }

  /// Whether the content's height has changed since the last fire that added items, or need not have.
  func isGateOpen(_ edge: Edge, now: Milliseconds) -> Bool {
    guard case .distance(let trigger) = settings.trigger, let gate = demand.gate(at: edge) else { return true }
    if let geometry = demand.geometry, geometry.content != gate.content { return true }
    switch trigger.heightGate {
    case .never: return true
    case .always: return false
    case .until(let milliseconds): return now - gate.firedAt >= milliseconds
    }
  }

  /// A geometry starts a load; whether it shuts the gate is known when its page is there.
  mutating func noteFireBegan(at edge: Edge, now: Milliseconds) {
    guard let geometry = demand.geometry else { return }
    let fire = Demand.HeightGate(content: geometry.content, firedAt: now)
    switch edge {
    case .start: demand.startFire = fire
    case .end: demand.endFire = fire
    }
  }

  /// A load at an edge has been committed: geometry from before is old if it added items, and its fire shuts the gate.
  mutating func noteFire(added: Int, at edge: Edge, now: Milliseconds) {
    let fire: Demand.HeightGate?
    switch edge {
    case .start:
      fire = demand.startFire
      demand.startFire = nil
    case .end:
      fire = demand.endFire
      demand.endFire = nil
    }
    guard added > 0 else { return }
    // A geometry that came while the load ran and shows another height is that of changed content: it still counts.
    if fire == nil || demand.geometry?.content == fire?.content { demand.ageGeometry() }
    guard let fire, case .distance(let trigger) = settings.trigger else { return }
    switch edge {
    case .start: demand.startGate = fire
    case .end: demand.endGate = fire
    }
    if case .until(let milliseconds) = trigger.heightGate {
      // The time counts from the fire. Where the load took longer, the front end is given as much again to speak first.
      let rest = fire.firedAt + milliseconds - now
      emit(.setTimer(.heightGate(edge), afterMs: rest > 0 ? rest : milliseconds))
    }
  }

  /// Ends the timers that would open a gate.
  mutating func stopGateTimers() {
    guard case .distance(let trigger) = settings.trigger, case .until = trigger.heightGate else { return }
    for edge in [Edge.end, .start] where demand.gate(at: edge) != nil { emit(.cancelTimer(.heightGate(edge))) }
  }

  /// The gate's time has run out: the last geometry is weighed again, for a height that really did not change sends none.
  mutating func heightGateOpened(at edge: Edge, now: Milliseconds) {
    guard demand.gate(at: edge) != nil else { return }
    switch edge {
    case .start: demand.startGate = nil
    case .end: demand.endGate = nil
    }
    demand.renewGeometry(at: edge, bound: settings.maxUnseenPages)
    weigh(edge, now: now)
  }
}
