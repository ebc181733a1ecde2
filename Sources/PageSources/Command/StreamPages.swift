import JSONText

/// Makes pages of the output of one run.
struct StreamPages {
  let run: StreamRun
  let request: PageRequest
  let idPath: JSONPointer
  let cancellation: CancellationFlag

  private static let limits: FileLimits = {
    var limits = FileLimits()
    limits.scanBytes = limits.pageBytes
    return limits
  }()

  /// What one look at the output came to.
  private struct Look {
    /// The items, with `hasMore` as far as the output tells.
    var page: SourcePage
    /// Where they end.
    var place: StreamPlace
    /// Why there are no more of them, where reading was ended.
    var fault: ReadFault?
  }

  /// The page from `place` on.
  ///
  /// It has fewer items than were asked for where the program takes its time. It is not empty as long as there may be more.
  func page(at place: StreamPlace) throws(SourceError) -> SourcePage {
    while true {
      let look = look(at: place)
      var page = look.page
      if page.items.isEmpty, let fault = look.fault {
        switch fault {
        case .idle: continue
        case .cancelled, .file:
          throw SourceError(.loadFailed, "The page of \"\(run.settings.program.name)\" was not wanted any more.")
        // A program that breaks off in the middle of a value has failed, whatever the value looks like then.
        case .source(let error): throw run.failure ?? error
        }
      }
      if page.hasMore == false, let failure = run.failure {
        if page.items.isEmpty { throw failure }
        page.hasMore = true
      }
      page.next = page.hasMore == false ? .absent : look.place.field
      run.notePage()
      return page
    }
  }

  private func look(at place: StreamPlace) -> Look {
    let name = InputName.output(of: run.settings.program)
    let limits = Self.limits
    let input = StreamInput(run, from: place.offset, timeoutMs: request.timeoutMs)
    func window() -> FileWindow { FileWindow(input, from: place.offset, limits: limits, cancellation: cancellation) }
    switch run.settings.format {
    case .lines:
      var pager = LinesPager(limits: limits, limit: max(0, request.limit), idPath: idPath)
      let outcome = Result { () throws(ReadFault) in try pager.page(in: window()) }
      return look(outcome, pager.partialPage, end: pager.end)
    case .jsonl:
      var pager = JSONLinesPager(name: name, limits: limits, limit: max(0, request.limit), idPath: idPath)
      let outcome = Result { () throws(ReadFault) in try pager.page(in: window()) }
      return look(outcome, pager.partialPage, end: pager.end)
    case .json:
      var pager = JSONDocumentsPager(
        name: name, limits: limits, limit: max(0, request.limit), idPath: idPath, isInArray: place.isInArray)
      let outcome = Result { () throws(ReadFault) in try pager.page(in: window()) }
      return look(outcome, pager.partialPage, end: pager.end, isInArray: pager.isInArray)
    case .csv, .tsv:
      let delimiter = UInt8(ascii: run.settings.format == .csv ? "," : "\t")
      var pager = CSVPager(
        name: name, limits: limits, delimiter: delimiter, limit: max(0, request.limit), idPath: idPath)
      pager.knownHeader = run.header
      let outcome = Result { () throws(ReadFault) in
        try pager.page(
          of: input, from: place.offset, hasHeader: run.settings.hasHeader, cancellation: cancellation)
      }
      if run.header == nil { run.header = pager.knownHeader }
      return look(outcome, pager.partialPage, end: pager.end)
    }
  }

  private func look(
    _ outcome: Result<SourcePage, ReadFault>, _ partial: SourcePage, end: Int, isInArray: Bool = false
  ) -> Look {
    let place = StreamPlace(run: run.tag, offset: end, isInArray: isInArray)
    switch outcome {
    case .success(let page): return Look(page: page, place: place)
    case .failure(let fault): return Look(page: partial, place: place, fault: fault)
    }
  }
}
