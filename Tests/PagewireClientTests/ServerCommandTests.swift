import Testing

@testable import PagewireClient

struct ServerCommandTests {
  @Test func wordsAreSplitAtBlanks() {
    #expect(ServerCommand(line: " pagewire  --log x ")?.arguments == ["pagewire", "--log", "x"])
  }

  @Test func quotesAndBackslashesKeepBlanks() {
    #expect(
      ServerCommand(line: #"'/a b/c' "d 'e'" f\ g '' h"i"j 'k\l'"#)?.arguments
        == ["/a b/c", "d 'e'", "f g", "", "hij", "k\\l"])
  }

  @Test func whatIsNoCommandIsNil() {
    #expect(ServerCommand(line: "  ") == nil)
    #expect(ServerCommand(line: "'a") == nil)
    #expect(ServerCommand(line: "a\\") == nil)
    #expect(ServerCommand(line: "''") == nil)
    #expect(ServerCommand(arguments: []) == nil)
  }
}
