import CSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tells which sessions' files may have changed: one descriptor for all of them, open only while there is one.
///
/// For each the file is watched and, because rotation puts another in its place, the folder that its name is in.
struct FileWatch {
  /// What one session watches.
  struct Registration {
    /// The watch of the file; -1 where there is no file at the moment.
    fileprivate(set) var file: Int32 = -1
    fileprivate var folder: Int32 = -1
    fileprivate var name: [UInt8] = []
  }

  /// Readable when a file has changed; -1 while nothing is watched.
  private(set) var descriptor: Int32 = -1
  private var files: [Int32: Set<Int>] = [:]
  private var folders: [Int32: [[UInt8]: Set<Int>]] = [:]

  /// Watches the file at an absolute path for the session in a slot; nil where the system cannot, and it has to be looked
  /// at now and then instead.
  mutating func add(_ path: [UInt8], _ slot: Int) -> Registration? {
    if descriptor < 0 { descriptor = csystem_watch_open() }
    guard descriptor >= 0, let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    var registration = Registration()
    registration.name = Array(path[(slash + 1)...])
    registration.folder = csystem_watch_folder(descriptor, Self.cString(path[..<max(1, slash)]))
    registration.file = csystem_watch_file(descriptor, Self.cString(path[...]))
    // Without a watch on a file that is there its growth would not be seen.
    if registration.folder < 0 || (registration.file < 0 && errno != ENOENT) {
      release(registration)
      return nil
    }
    folders[registration.folder, default: [:]][registration.name, default: []].insert(slot)
    if registration.file >= 0 { files[registration.file, default: []].insert(slot) }
    return registration
  }

  /// Ends what a session watches, but for what it watches by a newer registration too.
  mutating func remove(_ registration: Registration, replacedBy other: Registration? = nil, _ slot: Int) {
    if registration.folder != other?.folder { folders[registration.folder]?[registration.name]?.remove(slot) }
    if registration.file != other?.file { files[registration.file]?.remove(slot) }
    release(registration)
  }

  /// Ends the watches of a registration that no session has any more.
  private mutating func release(_ registration: Registration) {
    if registration.folder >= 0 {
      if folders[registration.folder]?[registration.name]?.isEmpty == true {
        folders[registration.folder]?[registration.name] = nil
      }
      if folders[registration.folder]?.isEmpty != false {
        folders[registration.folder] = nil
        csystem_watch_end(descriptor, registration.folder)
      }
    }
    if registration.file >= 0, files[registration.file]?.isEmpty != false {
      files[registration.file] = nil
      csystem_watch_end(descriptor, registration.file)
    }
    if folders.isEmpty && files.isEmpty && descriptor >= 0 {
      _ = close(descriptor)
      descriptor = -1
    }
  }

  /// What has happened, as the slots of the sessions whose files it may concern.
  struct Changes {
    /// The file may hold something else than before.
    var changed: Set<Int> = []
    /// Another file may have taken its place, so that it has to be watched anew.
    var replaced: Set<Int> = []
  }

  /// Takes what has happened.
  mutating func takeChanges() -> Changes {
    var changes = Changes()
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while descriptor >= 0 {
      let count = buffer.withUnsafeMutableBytes { SystemCalls.read(descriptor, $0) }
      if count <= 0 { break }
      buffer.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count]), &changes) }
      if count < buffer.count / 2 { break }
    }
    return changes
  }

  private func take(_ bytes: UnsafeRawBufferPointer, _ changes: inout Changes) {
    var offset = 0
    var event = csystem_watch_event()
    while offset < bytes.count, let base = bytes.baseAddress {
      let size = csystem_watch_next(base + offset, bytes.count - offset, &event)
      if size == 0 { return }
      offset += size
      if event.happened & CSYSTEM_WATCH_OVERFLOW != 0 {
        for names in folders.values { for slots in names.values { changes.replaced.formUnion(slots) } }
        continue
      }
      if let slots = files[event.watch] { changes.changed.formUnion(slots) }
      if let names = folders[event.watch] {
        let name = Array(UnsafeRawBufferPointer(start: event.name, count: event.name_length))
        if name.isEmpty {
          for slots in names.values { changes.replaced.formUnion(slots) }
        } else if let slots = names[name] {
          changes.replaced.formUnion(slots)
        }
      }
    }
  }

  private static func cString(_ path: ArraySlice<UInt8>) -> [CChar] {
    path.map { CChar(bitPattern: $0) } + [0]
  }
}
