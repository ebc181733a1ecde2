import JSONText

/// What a ``FrameDecoder`` found next in its input.
public enum FrameEvent: Sendable, Equatable {
  /// A whole body: its place in ``FrameDecoder/buffer``, valid until the decoder takes in more bytes.
  case frame(JSONSlice)
  /// Nothing more to be had from what is there; at least `missing` more bytes are needed.
  case needsInput(missing: Int)
  /// A header block that cannot be used. It is reported once; the decoder goes on by itself at the next one that can.
  case malformed(FrameError)
}
