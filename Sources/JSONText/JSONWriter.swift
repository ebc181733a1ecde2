/// Writes JSON text into a byte array; commas and escapes are its business, brackets in pairs are the caller's.
///
/// What it writes is valid JSON and valid UTF-8 as long as the calls nest properly and raw text passed in is JSON.
public struct JSONWriter: Sendable {
  /// What has been written.
  public var bytes: [UInt8]
  /// Whether a value stands before the next one, so that a comma must be written first.
  @usableFromInline var needsComma = false

  /// Makes a writer that appends to `bytes`.
  public init(appendingTo bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  /// Opens an object.
  public mutating func beginObject() { open(UInt8(ascii: "{")) }

  /// Closes the innermost object.
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Opens an array.
  public mutating func beginArray() { open(UInt8(ascii: "[")) }

  /// Closes the innermost array.
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Writes a member's name, which must be plain ASCII without quotes, backslashes and controls; its value comes next.
  public mutating func key(_ name: StaticString) {
    quoted(name, colon: true)
    needsComma = false
  }

  /// Writes a member's name of any content; its value comes next.
  public mutating func key(anyName name: Span<UInt8>) {
    separate()
    appendQuoted(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a value that is JSON text already, byte for byte.
  public mutating func raw(_ text: Span<UInt8>) {
    separate()
    append(text)
    needsComma = true
  }

  /// Writes a value that is JSON text already, byte for byte.
  public mutating func raw(_ text: [UInt8]) { raw(text.span) }

  /// Writes a value that is JSON text already: the slice of some buffer, byte for byte.
  public mutating func raw(_ slice: JSONSlice, of buffer: Span<UInt8>) {
    raw(buffer.extracting(slice.range))
  }

  /// Writes a string value.
  public mutating func string(_ text: String) {
    separate()
    var copy = text
    copy.withUTF8 { appendQuoted($0.span) }
    needsComma = true
  }

  /// Writes a string value, which must be plain ASCII without quotes, backslashes and controls.
  public mutating func string(ascii text: StaticString) {
    quoted(text, colon: false)
    needsComma = true
  }

  /// Writes a string value; bytes that are not UTF-8 are written as U+FFFD.
  public mutating func string(utf8 text: Span<UInt8>) {
    separate()
    appendQuoted(text)
    needsComma = true
  }

  /// Writes an integer.
  public mutating func int(_ value: Int) {
    separate()
    DecimalDigits.append(value, to: &bytes)
    needsComma = true
  }

  /// Writes a number; JSON has no infinity and no NaN, so these become `null`.
  public mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    separate()
    bytes.append(contentsOf: value.description.utf8)
    needsComma = true
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) { word(value ? "true" : "false") }

  /// Writes `null`.
  public mutating func null() { word("null") }

  /// Appends a member with a string value.
  public mutating func member(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }

  /// Appends a member with an integer value.
  public mutating func member(_ name: StaticString, _ value: Int) {
    key(name)
    int(value)
  }

  /// Appends a member with a truth value.
  public mutating func member(_ name: StaticString, _ value: Bool) {
    key(name)
    bool(value)
  }

  /// Notes that a whole value was appended to ``bytes`` by other means, after a name or as the first of its brackets.
  public mutating func valueAppended() { needsComma = true }

  /// Forgets that a value was written, so that what comes next starts a text of its own.
  public mutating func startOver() { needsComma = false }

  /// Appends bytes outside of all bookkeeping: no comma is written before them and none expected after.
  public mutating func append(_ text: Span<UInt8>) {
    text.withUnsafeBufferPointer { bytes.append(copying: $0) }
  }

  /// Appends ASCII text outside of all bookkeeping: no comma is written before it and none expected after.
  public mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(copying: $0) }
  }

  @inline(__always)
  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  @inline(__always)
  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  @inline(__always)
  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  /// All of it at once: making room for each byte by itself costs more than the bytes do.
  private mutating func quoted(_ text: StaticString, colon: Bool) {
    let needsComma = needsComma
    bytes.append(addingCapacity: text.utf8CodeUnitCount &+ 4) { output in
      if needsComma { output.append(UInt8(ascii: ",")) }
      output.append(UInt8(ascii: "\""))
      output.append(text)
      output.append(UInt8(ascii: "\""))
      if colon { output.append(UInt8(ascii: ":")) }
    }
  }

  private mutating func word(_ text: StaticString) {
    separate()
    append(text)
    needsComma = true
  }

  private mutating func appendQuoted(_ text: Span<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    JSONStringEncoder.append(text, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }
}
