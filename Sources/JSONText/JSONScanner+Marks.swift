// A faster way through large values by their marks. It only ever says that a value is valid; whatever it is not sure of, be it an
// error or deep nesting, is left to the scanner that looks at every byte and knows where an error is.

extension JSONScanner {
  /// Does the same as ``scanArray(_:from:to:depth:elements:)``, faster for large arrays.
  public func scanArray(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, depth: Int = 0, elements: inout [JSONElement],
    marks: inout JSONMarks
  ) throws(JSONSyntaxError) -> Int {
    if end &- start >= JSONMarks.worthwhileBytes,
      let arrayEnd = scanArrayByMarks(
        bytes, from: start, to: end, depth: depth, id: .id, elements: &elements, marks: &marks)
    {
      return arrayEnd
    }
    return try scanArray(bytes, from: start, to: end, depth: depth, elements: &elements)
  }

  /// Checks the array that starts at `start` and records its elements, with the value of the last member of the given name of each
  /// that is an object; nil where it has to be looked at in another way.
  public func scanArrayByMarks(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, depth: Int = 0, id name: JSONMemberName,
    elements: inout [JSONElement], marks: inout JSONMarks
  ) -> Int? {
    guard JSONMarks.areAvailable, start < end, bytes[start] == UInt8(ascii: "[") else { return nil }
    elements.empty()
    var walk = MarkedWalk(room: maxDepth &- depth, itemDepth: 1, idName: name, offset: start)
    guard let arrayEnd = walk.run(bytes.extracting(..<end), &marks, &elements), elements.count <= maxRecorded else {
      return nil
    }
    return arrayEnd
  }

  /// Checks the object that starts at `start`, and finds the value of its last member of the given name; nil where it has to
  /// be looked at in another way.
  public func scanLargeObject(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, depth: Int = 0, id name: JSONMemberName,
    marks: inout JSONMarks
  ) -> JSONElement? {
    guard JSONMarks.areAvailable, end &- start >= JSONMarks.worthwhileBytes, bytes[start] == UInt8(ascii: "{") else {
      return nil
    }
    var walk = MarkedWalk(room: maxDepth &- depth, itemDepth: 0, idName: name, offset: start)
    var none: [JSONElement] = []
    guard let objectEnd = walk.run(bytes.extracting(..<end), &marks, &none) else { return nil }
    return JSONElement(value: JSONSlice(start: start, end: objectEnd), id: walk.id(in: bytes, before: objectEnd))
  }
}
