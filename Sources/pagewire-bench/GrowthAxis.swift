/// How a cost should grow along an axis.
enum Growth {
  /// Not at all.
  case flat
  /// By the same amount for each, above what the smallest costs.
  case linear
}

/// What was measured of one thing along an axis.
struct GrowthSeries {
  let name: String
  let unit: PlotUnit
  let growth: Growth
  /// Whether the 99th percentile is worth a mark.
  var showsTail = false
  private(set) var samples: [Double: [Double]] = [:]

  init(_ name: String, _ unit: PlotUnit, _ growth: Growth, showsTail: Bool = false) {
    self.name = name
    self.unit = unit
    self.growth = growth
    self.showsTail = showsTail
  }

  /// Adds a measurement at a place of the axis.
  mutating func add(_ value: Double, at place: Int) { samples[Double(place), default: []].append(value) }

  /// Adds measurements at a place of the axis.
  mutating func add(_ values: [Double], at place: Int) { samples[Double(place), default: []] += values }

  /// The places that were measured, lowest first.
  var places: [Double] { samples.keys.sorted() }

  /// The median at a place; NaN where nothing was measured.
  func median(at place: Double) -> Double { Statistics.median(samples[place] ?? []) }

  /// What each one more costs, from the place below a tenth of the last, to the last; the last and the first compared, where it is flat.
  var slope: Double {
    guard let last = places.last, let anchor else { return .nan }
    return (median(at: last) - median(at: anchor)) / (last - anchor)
  }

  /// The last place that is at most a tenth of the highest.
  private var anchor: Double? {
    guard let last = places.last else { return nil }
    return places.last { $0 <= last / 10 }
  }

  /// The line on which the points should lie: level with the first, or straight through the first and the anchor, so that
  /// what grows faster than it should leaves it behind.
  private var ideal: [(x: Double, y: Double)] {
    guard let first = places.first, let last = places.last, let anchor else { return [] }
    let floor = median(at: first)
    let slope = growth == .flat ? 0 : (median(at: anchor) - floor) / (anchor - first)
    // A straight line is a curve between logarithmic axes: many short pieces.
    let steps = 60
    return (0...steps).map { step in
      let x = first * raised(last / first, Double(step) / Double(steps))
      return (x, floor + slope * (x - first))
    }
  }

  /// The series as a line of a plot.
  var plotted: PlotSeries {
    let points = places.map { place in
      let all = samples[place] ?? []
      return PlotSeries.Point(
        x: place, low: Statistics.quantile(all, 0.1), middle: Statistics.median(all),
        high: Statistics.quantile(all, 0.9),
        tail: showsTail && all.count >= 100 ? Statistics.quantile(all, 0.99) : nil)
    }
    return PlotSeries(name: name, points: points, ideal: ideal)
  }
}

/// Everything that was measured along one axis.
struct GrowthAxis {
  let name: String
  let title: String
  let subtitle: String
  let xTitle: String
  let xUnit: PlotUnit
  var latency: [GrowthSeries]
  var memory: [GrowthSeries]

  /// Draws the picture and writes the data beside it.
  func write(to folder: String) throws {
    let plot = PlotSVG(
      title: title, subtitle: subtitle, xTitle: xTitle, xUnit: xUnit,
      panels: [
        PlotPanel(title: "Latency", unit: .microseconds, series: latency.map(\.plotted)),
        PlotPanel(title: "Memory", unit: .bytes, series: memory.map(\.plotted)),
      ])
    try Files.write("\(folder)/\(name).svg", text: plot.text())
    try Files.write("\(folder)/\(name).csv", text: table)
  }

  /// The data, a line for each point.
  private var table: String {
    var text = "measured,unit,should be,\(name),samples,p10,median,p90,p99\n"
    for series in latency + memory {
      for place in series.places {
        let all = series.samples[place] ?? []
        let digits = series.unit == .microseconds ? 2 : 0
        let numbers = [0.1, 0.5, 0.9, 0.99].map { fixed(Statistics.quantile(all, $0), digits) }
        let unit = series.unit == .microseconds ? "us" : "bytes"
        text += "\"\(series.name)\",\(unit),\(series.growth),\(fixed(place, 0)),\(all.count),"
        text += numbers.joined(separator: ",") + "\n"
      }
    }
    return text
  }

  /// A line of the benchmark's table for each series: at the far end against at the near one.
  var rows: [Row] {
    (latency + memory).map { series in
      let unit = series.unit == .microseconds ? "us" : "KiB"
      let scale = series.unit == .microseconds ? 1.0 : 1024
      let places = series.places
      let ends = [places.last, places.first].map { $0.map { series.median(at: $0) / scale } ?? .nan }
      let each = series.unit == .microseconds ? "ns" : "bytes"
      let slope = series.slope * (series.unit == .microseconds ? 1000 : 1)
      return Row(
        workload: "\(name): \(series.name)", unit: unit, baseline: places.first.map { xUnit.label($0) } ?? "-",
        ours: [ends[0]], theirs: [ends[1]],
        notes: series.growth == .linear ? ["\(fixed(slope, 2)) \(each) for each one more at the far end"] : [])
    }
  }
}

/// Half-decades from one value to another: 1, 3, 10, 30 and so on.
func halfDecades(from first: Int, to last: Int) -> [Int] {
  var places: [Int] = []
  var place = first
  while place <= last {
    places.append(place)
    if place * 3 <= last { places.append(place * 3) }
    place *= 10
  }
  return places
}
