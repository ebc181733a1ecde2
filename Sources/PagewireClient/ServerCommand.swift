/// The program that serves, and its arguments.
public struct ServerCommand: Sendable, Equatable {
  /// Program (looked up on PATH where it holds no slash) and arguments; never empty.
  public let arguments: [String]

  /// The program as it was given.
  public var program: String { arguments[0] }

  /// A command from its words; nil where there is none, or the program's name is empty.
  public init?(arguments: [String]) {
    guard let program = arguments.first, !program.isEmpty else { return nil }
    self.arguments = arguments
  }

  /// Splits a command line into words at blanks.
  ///
  /// Single quotes, double quotes and the backslash work as in a shell; nothing else is special, and no shell is
  /// run. Nil where no word is left or a quote is not closed.
  public init?(line: String) {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\" && quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil && (character == "'" || character == "\"") {
        quote = character
        word = word ?? ""
      } else if quote == nil && (character == " " || character == "\t" || character == "\n") {
        if let finished = word { words.append(finished) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if let finished = word { words.append(finished) }
    self.init(arguments: words)
  }
}
