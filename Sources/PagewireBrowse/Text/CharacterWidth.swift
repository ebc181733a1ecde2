import CSystem

/// How many terminal cells a Unicode scalar takes, and which ones must not reach a terminal as they are.
enum CharacterWidth {
  /// Cells of a scalar: 0 for combining marks, 1, or 2; nil where it has to be shown as an escape.
  ///
  /// Escaped are control characters, which a terminal would obey; line and paragraph separators; marks that turn the
  /// direction of what follows, and so can make data look like something else; and what the C library knows nothing of.
  static func cells(_ scalar: UInt32) -> Int? {
    if scalar < 0x7F { return scalar < 0x20 ? nil : 1 }
    if scalar < 0xA0 { return nil }
    if isInvisibleDirective(scalar) { return nil }
    let width = csystem_wcwidth(scalar)
    if width >= 0 { return Int(width) }
    // Pictures newer than the C library, and characters for private use, are drawn by terminals all the same.
    if (0x1F300...0x1FAFF).contains(scalar) { return 2 }
    if (0xE000...0xF8FF).contains(scalar) { return 1 }
    return nil
  }

  private static func isInvisibleDirective(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x200E, 0x200F, 0x061C, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
    // Tags, which spell hidden text.
    case 0xE0000...0xE007F: true
    default: false
    }
  }
}
