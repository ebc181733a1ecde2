/// Everything that was measured, for programs: the figures of every round, from which tables and plots can be made.
enum JSONReport {
  static func text(_ groups: [(title: String, rows: [Row])], about: [(String, String)]) -> String {
    let facts = about.map { "\(quoted($0.0)):\(quoted($0.1))" }
    let tables = groups.map { group in
      "{\"title\":\(quoted(group.title)),\"rows\":[\n\(group.rows.map(object).joined(separator: ",\n"))\n]}"
    }
    return "{\"about\":{\(facts.joined(separator: ","))},\"groups\":[\n\(tables.joined(separator: ",\n"))\n]}\n"
  }

  private static func object(_ row: Row) -> String {
    var members = ["\"workload\":\(quoted(row.workload))", "\"peer\":\(quoted(row.baseline))"]
    if let failure = row.failure {
      members.append("\"failure\":\(quoted(failure))")
    } else if let install = row.install {
      members.append("\"install\":\(quoted(install))")
    } else {
      members.append("\"unit\":\(quoted(row.unit))")
      members.append("\"better\":\"\(row.moreIsBetter ? "more" : "less")\"")
      members.append("\"ours\":\(array(row.ours))")
      members.append("\"peers\":\(array(row.theirs))")
      if let met = row.isMet { members.append("\"target\":\(quoted(row.targetText)),\"met\":\(met)") }
      if !row.notes.isEmpty { members.append("\"notes\":[\(row.notes.map(quoted).joined(separator: ","))]") }
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func array(_ values: [Double]) -> String {
    // JSON has no other numbers than finite ones.
    "[\(values.map { $0.isFinite ? "\($0)" : "null" }.joined(separator: ","))]"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case _ where scalar.value < 0x20: quoted += " "
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
