import JSONText

/// A page that was asked of a provider.
struct ProviderCall: Sendable {
  let list: ProviderList
  let request: PageRequest
  let idPath: JSONPointer
  let flag: CancellationFlag
  let answer: @Sendable (Result<SourcePage, SourceError>) -> Void
}
