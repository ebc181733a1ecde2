/// A line of a plot.
struct PlotSeries {
  /// A measured point: the middle, a bar from low to high, and a mark of its own for what one in a hundred exceeds.
  struct Point {
    var x: Double
    var low: Double
    var middle: Double
    var high: Double
    var tail: Double?
  }

  var name: String
  var points: [Point]
  /// The line that the points would lie on if all were as it should be.
  var ideal: [(x: Double, y: Double)]
}

/// One of the plots that stand side by side.
struct PlotPanel {
  var title: String
  var unit: PlotUnit
  var series: [PlotSeries]
}

/// A picture of panels over the same horizontal axis, all axes logarithmic, light or dark as the reader's system is.
struct PlotSVG {
  var title: String
  var subtitle: String
  var xTitle: String
  var xUnit: PlotUnit
  var panels: [PlotPanel]

  private static let panelWidth = 396.0
  private static let panelHeight = 270.0
  private static let leftMargin = 72.0
  private static let gap = 78.0
  private static let top = 84.0
  private static let legendLine = 18.0

  /// The picture as text.
  func text() -> String {
    let rows = panels.map { $0.series.count }.max() ?? 0
    let bottom = PlotSVG.top + PlotSVG.panelHeight
    let legendTop = bottom + 62
    let height = Int(legendTop + Double(rows) * PlotSVG.legendLine + 26)
    let width = Int(
      PlotSVG.leftMargin + Double(panels.count) * PlotSVG.panelWidth + Double(panels.count - 1) * PlotSVG.gap + 48)
    var svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" height=\"\(height)\" "
      + "role=\"img\">\n<title>\(PlotSVG.escaped(title))</title>\n\(PlotSVG.style)"
    svg += "<rect class=\"paper\" width=\"\(width)\" height=\"\(height)\"/>\n"
    svg += PlotSVG.label(title, x: 16, y: 26, "title")
    svg += PlotSVG.label(subtitle, x: 16, y: 46, "small")
    for (index, panel) in panels.enumerated() {
      let left = PlotSVG.leftMargin + Double(index) * (PlotSVG.panelWidth + PlotSVG.gap)
      svg += draw(panel, left: left, legendTop: legendTop)
    }
    svg += PlotSVG.label(
      "Points are medians, bars reach from the 10th to the 90th percentile, crosses are the 99th; thin dashes: as it should be.",
      x: 16, y: Double(height) - 12, "small")
    return svg + "</svg>\n"
  }

  // MARK: A panel

  private func draw(_ panel: PlotPanel, left: Double, legendTop: Double) -> String {
    let bottom = PlotSVG.top + PlotSVG.panelHeight
    let points = panel.series.flatMap(\.points)
    let x = PlotScale(
      values: points.map(\.x), decades: 1, from: left, to: left + PlotSVG.panelWidth)
    let y = PlotScale(
      values: points.flatMap { [$0.low, $0.middle, $0.tail ?? $0.high] }, decades: 2, from: bottom, to: PlotSVG.top)
    var svg = PlotSVG.label(panel.title, x: left, y: PlotSVG.top - 12, "head")
    svg += axes(panel, x, y, left: left, bottom: bottom)
    for (index, series) in panel.series.enumerated() {
      svg += PlotSVG.draw(series, number: index, x, y)
      svg += PlotSVG.legend(series.name, number: index, x: left, y: legendTop + Double(index) * PlotSVG.legendLine)
    }
    return svg
  }

  private func axes(_ panel: PlotPanel, _ x: PlotScale, _ y: PlotScale, left: Double, bottom: Double) -> String {
    let right = left + PlotSVG.panelWidth
    var svg = ""
    for value in y.decades {
      let place = y.place(value)
      svg += PlotSVG.line(left, place, right, place, "grid")
      svg += PlotSVG.label(panel.unit.label(value), x: left - 9, y: place + 4, "tick end")
    }
    for value in x.decades { svg += PlotSVG.line(x.place(value), PlotSVG.top, x.place(value), bottom, "grid") }
    for value in y.between { svg += PlotSVG.line(left - 3, y.place(value), left, y.place(value), "axis") }
    for value in x.between { svg += PlotSVG.line(x.place(value), bottom, x.place(value), bottom + 3, "axis") }
    for value in PlotSVG.labelled(x.decades) {
      svg += PlotSVG.line(x.place(value), bottom, x.place(value), bottom + 6, "axis")
      svg += PlotSVG.label(xUnit.label(value), x: x.place(value), y: bottom + 20, "tick middle")
    }
    svg += PlotSVG.line(left, PlotSVG.top, left, bottom, "axis") + PlotSVG.line(left, bottom, right, bottom, "axis")
    return svg + PlotSVG.label(xTitle, x: (left + right) / 2, y: bottom + 40, "small middle")
  }

  /// The decades that have room for a label: all of six, every other one of more.
  private static func labelled(_ decades: [Double]) -> [Double] {
    decades.count <= 6 ? decades : decades.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
  }

  // MARK: A line

  private static func draw(_ series: PlotSeries, number: Int, _ x: PlotScale, _ y: PlotScale) -> String {
    var svg = "<g class=\"s\(number)\">\n"
    let ideal = series.ideal.filter { y.range.contains($0.y) }.map {
      "\(fixed(x.place($0.x), 1)),\(fixed(y.place($0.y), 1))"
    }
    if ideal.count > 1 { svg += "<polyline class=\"ideal\" points=\"\(ideal.joined(separator: " "))\"/>\n" }
    let line = series.points.map { "\(fixed(x.place($0.x), 1)),\(fixed(y.place($0.middle), 1))" }
    svg += "<polyline class=\"line\" points=\"\(line.joined(separator: " "))\"/>\n"
    for point in series.points {
      let place = x.place(point.x)
      if point.high > point.low { svg += self.line(place, y.place(point.low), place, y.place(point.high), "bar") }
      if let tail = point.tail { svg += cross(place, y.place(tail)) }
      svg += marker(number, place, y.place(point.middle))
    }
    return svg + "</g>\n"
  }

  private static func legend(_ name: String, number: Int, x: Double, y: Double) -> String {
    "<g class=\"s\(number)\">\n<polyline class=\"line\" points=\"\(fixed(x, 1)),\(fixed(y - 4, 1)) \(fixed(x + 26, 1)),\(fixed(y - 4, 1))\"/>\n"
      + marker(number, x + 13, y - 4) + "</g>\n" + label(name, x: x + 34, y: y, "small")
  }

  /// A shape for each line, so that they can be told apart without colours.
  private static func marker(_ number: Int, _ x: Double, _ y: Double) -> String {
    func polygon(_ corners: [(Double, Double)]) -> String {
      let points = corners.map { "\(fixed(x + $0.0, 1)),\(fixed(y + $0.1, 1))" }.joined(separator: " ")
      return "<polygon class=\"mark\" points=\"\(points)\"/>\n"
    }
    switch number % 5 {
    case 0: return "<circle class=\"mark\" cx=\"\(fixed(x, 1))\" cy=\"\(fixed(y, 1))\" r=\"3.2\"/>\n"
    case 1: return polygon([(-3, -3), (3, -3), (3, 3), (-3, 3)])
    case 2: return polygon([(0, -3.8), (3.6, 3), (-3.6, 3)])
    case 3: return polygon([(0, -4.2), (4.2, 0), (0, 4.2), (-4.2, 0)])
    default: return polygon([(0, 3.8), (3.6, -3), (-3.6, -3)])
    }
  }

  private static func cross(_ x: Double, _ y: Double) -> String {
    line(x - 2.5, y - 2.5, x + 2.5, y + 2.5, "bar") + line(x - 2.5, y + 2.5, x + 2.5, y - 2.5, "bar")
  }

  // MARK: Pieces

  private static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) -> String {
    "<line class=\"\(style)\" x1=\"\(fixed(x1, 1))\" y1=\"\(fixed(y1, 1))\" x2=\"\(fixed(x2, 1))\" y2=\"\(fixed(y2, 1))\"/>\n"
  }

  private static func label(_ text: String, x: Double, y: Double, _ style: String) -> String {
    "<text class=\"\(style)\" x=\"\(fixed(x, 1))\" y=\"\(fixed(y, 1))\">\(escaped(text))</text>\n"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// Colours that are told apart with any kind of colour vision, a set for each background.
  private static let style = """
    <style>
    :root{--paper:#fff;--ink:#1f2328;--soft:#59636e;--grid:#e4e8ec}
    .s0{--c:#0067a8}.s1{--c:#c24e00}.s2{--c:#007a5a}.s3{--c:#a3418f}.s4{--c:#7a6a00}
    @media (prefers-color-scheme:dark){
    :root{--paper:#0d1117;--ink:#e6edf3;--soft:#9da7b1;--grid:#262c34}
    .s0{--c:#58b4f0}.s1{--c:#f59a4c}.s2{--c:#35c79b}.s3{--c:#e28fd0}.s4{--c:#d9c94a}
    }
    .paper{fill:var(--paper)}
    text{font:12px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;fill:var(--ink)}
    .title{font-size:16px;font-weight:600}.head{font-size:13px;font-weight:600}.small,.tick{fill:var(--soft)}
    .end{text-anchor:end}.middle{text-anchor:middle}
    .grid{stroke:var(--grid);stroke-width:1}.axis{stroke:var(--soft);stroke-width:1}
    .line{fill:none;stroke:var(--c);stroke-width:1.8;stroke-linejoin:round}
    .ideal{fill:none;stroke:var(--c);stroke-width:.9;stroke-dasharray:4 3;opacity:.8}
    .bar{stroke:var(--c);stroke-width:1.1}.mark{fill:var(--c);stroke:var(--paper);stroke-width:.8}
    </style>

    """
}
