import JSONText
import Testing

private func nested(_ depth: Int, objects: Bool) -> [UInt8] {
  var text: [UInt8] = []
  for _ in 0..<depth { text.append(contentsOf: objects ? Array("{\"a\":".utf8) : [UInt8(ascii: "[")]) }
  text.append(UInt8(ascii: "1"))
  text.append(contentsOf: repeatElement(UInt8(ascii: objects ? "}" : "]"), count: depth))
  return text
}

@Test(arguments: [1, 2, 63, 64, 65, 127, 128, 129, 1000], [false, true])
func theDepthLimitIsExact(depth: Int, objects: Bool) {
  let sample = Sample(nested(depth, objects: objects))
  #expect(sample.error(maxDepth: depth) == nil)
  let opening = (depth - 1) * (objects ? 5 : 1)
  #expect(sample.error(maxDepth: depth - 1) == JSONSyntaxError(.tooDeep, at: opening))
}

@Test func emptyArraysAndObjectsCountAsLevels() {
  #expect(Sample("[[]]").error(maxDepth: 1) == JSONSyntaxError(.tooDeep, at: 1))
  #expect(Sample("[{}]").error(maxDepth: 1) == JSONSyntaxError(.tooDeep, at: 1))
  #expect(Sample("[]").error(maxDepth: 0) == JSONSyntaxError(.tooDeep, at: 0))
  #expect(Sample("1").error(maxDepth: 0) == nil)
}

@Test func bracketsOfBothKindsMatchAtAnyDepth() {
  var random = SystemRandomNumberGenerator()
  for depth in [3, 64, 65, 200] {
    let kinds = (0..<depth).map { _ in Bool.random(using: &random) }
    var text: [UInt8] = []
    for isObject in kinds { text.append(contentsOf: Array((isObject ? "{\"a\":" : "[").utf8)) }
    text.append(UInt8(ascii: "0"))
    let middle = text.count
    for isObject in kinds.reversed() { text.append(UInt8(ascii: isObject ? "}" : "]")) }
    #expect(Sample(text).error() == nil)
    for level in 0..<depth {
      var wrong = text
      wrong[middle + level] = wrong[middle + level] == UInt8(ascii: "}") ? UInt8(ascii: "]") : UInt8(ascii: "}")
      #expect(Sample(wrong).error() == JSONSyntaxError(.expectedCommaOrEnd, at: middle + level))
    }
  }
}

@Test func depthCostsNoStack() {
  // Test threads have small stacks; a recursive scanner would overflow them long before this.
  let sample = Sample(nested(2_000_000, objects: true))
  #expect(sample.error(maxDepth: .max) == nil)
  #expect(Sample([UInt8](repeating: UInt8(ascii: "["), count: 100_000)).error()?.reason == .tooDeep)
}

@Test func membersAndElementsCountTheirOwnLevel() {
  let bytes = Array("{\"a\":[{\"id\":[1]}]}".utf8)
  var members: [JSONMember] = []
  var elements: [JSONElement] = []
  func reason(_ maxDepth: Int, _ depth: Int) -> JSONSyntaxError.Reason? {
    do throws(JSONSyntaxError) {
      let scanner = JSONScanner(maxDepth: maxDepth)
      _ = try scanner.scanObject(bytes.span, from: 0, to: bytes.count, depth: depth, members: &members)
      _ = try scanner.scanArray(bytes.span, from: 5, to: bytes.count, depth: depth + 1, elements: &elements)
      return nil
    } catch {
      return error.reason
    }
  }
  #expect(reason(4, 0) == nil)
  #expect(reason(3, 0) == .tooDeep)
  #expect(reason(6, 2) == nil)
  #expect(reason(5, 2) == .tooDeep)
}
