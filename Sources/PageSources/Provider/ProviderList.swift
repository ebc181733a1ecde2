import Synchronization

/// One list that a provider has: what one source of ours is to it.
final class ProviderList: Sendable {
  /// Names it to the provider, unlike any other list of it.
  let number: Int
  /// The source object's exact JSON text.
  let source: [UInt8]
  /// The exact JSON text of its `params`; nil where it has none.
  let params: [UInt8]?
  private let answered = Mutex<[UInt8]?>(nil)

  init(number: Int, source: [UInt8], params: [UInt8]?) {
    self.number = number
    self.source = source
    self.params = params
  }

  /// The JSON text of the facts that the provider has told last; nil where it has not.
  var facts: [UInt8]? {
    get { answered.withLock { $0 } }
    set { answered.withLock { $0 = newValue } }
  }
}
