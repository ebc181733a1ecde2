/// Something that must not be, found by the simulation.
struct SimulationFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(SimulationFault) {
  if !condition { throw SimulationFault(message()) }
}
