/// How large what a peer sends may be.
public struct FrameLimits: Sendable, Equatable {
  /// The longest body of a frame, in bytes.
  public var maxFrameBytes: Int
  /// The longest header block, in bytes, line ends included.
  public var maxHeaderBytes: Int

  /// Sets the limits; 64 MiB and 8 KiB unless told otherwise.
  public init(maxFrameBytes: Int = 64 << 20, maxHeaderBytes: Int = 8 << 10) {
    self.maxFrameBytes = max(0, maxFrameBytes)
    self.maxHeaderBytes = max(0, maxHeaderBytes)
  }
}
