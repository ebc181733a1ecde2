import JSONText
import Testing

@testable import PageSources

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct CommandSettingsTests {
  private func command(_ members: String) -> String { "{\"type\":\"command\",\(members)}" }

  @Test(arguments: [
    ("\"mode\":\"stream\"", "/source/argv: expected an array of strings: a program and its arguments"),
    ("\"argv\":[]", "/source/argv: expected an array of strings: a program and its arguments"),
    ("\"argv\":\"ls\"", "/source/argv: expected an array of strings: a program and its arguments"),
    ("\"argv\":[\"\"]", "/source/argv: expected an array of strings: a program and its arguments"),
    ("\"argv\":[\"ls\",1]", "/source/argv/1: expected a string without NUL characters"),
    ("\"argv\":[\"ls\",\"a\\u0000b\"]", "/source/argv/1: expected a string without NUL characters"),
    ("\"argv\":[\"ls\"],\"mode\":\"shell\"", "/source/mode: expected one of \"stream\", \"page\", \"provider\""),
    (
      "\"argv\":[\"ls\"],\"stopSignal\":\"STOP\"",
      "/source/stopSignal: expected one of \"TERM\", \"INT\", \"HUP\", \"QUIT\", \"KILL\", \"USR1\", \"USR2\""
    ),
    (
      "\"argv\":[\"ls\"],\"format\":\"xml\"",
      "/source/format: expected one of \"lines\", \"jsonl\", \"json\", \"csv\", \"tsv\""
    ),
    (
      "\"argv\":[\"ls\"],\"mode\":\"provider\",\"format\":\"json\"",
      "/source/format: a provider answers in its own messages"
    ),
    ("\"argv\":[\"ls\"],\"header\":true", "/source/header: only output of the format \"csv\" or \"tsv\" has a header"),
    ("\"argv\":[\"ls\"],\"params\":1", "/source/params: only a command of mode \"provider\" takes params"),
    (
      "\"argv\":[\"ls\"],\"env\":{\"A\":1}",
      "/source/env/A: expected a string without NUL characters, or null to leave the variable out"
    ),
    ("\"argv\":[\"ls\"],\"env\":{\"A=B\":\"\"}", "/source/env/A=B: is no name of an environment variable"),
    ("\"argv\":[\"ls\"],\"cwd\":\"\"", "/source/cwd: expected the path of a directory"),
    (
      "\"argv\":[\"ls\"],\"shell\":true",
      "/source/shell: unknown member; known here are argv, mode, format, header, cwd, env, stopSignal, params"
    ),
  ])
  func whatIsMalformedIsNamed(_ members: String, _ message: String) {
    #expect(paramsMessage(command(members)) == message)
  }

  @Test func whatCannotBeRunFailsAtOnce() {
    let missing = openError(command("\"argv\":[\"no-such-program\"]"))
    #expect(missing?.code == .sourceUnavailable)
    #expect(
      missing?.message
        == "Cannot run \"no-such-program\": there is no such program on PATH. Check argv, then open it again.")
    #expect(openError(command("\"argv\":[\"/no/such\"]"))?.message.contains("No such file") == true)
    #expect(openError(command("\"argv\":[\"/tmp\"]"))?.message.contains("it is a directory") == true)
    let plain = TemporaryDirectory()
    let file = plain.write("file", "")
    #expect(openError(command("\"argv\":[\(quoted(file))]"))?.message.contains("Permission denied") == true)
    #expect(openError(command("\"argv\":[\"ls\"],\"cwd\":\"/no/such\""))?.message.contains("/no/such") == true)
    #expect(openError(command("\"argv\":[\"ls\"],\"cwd\":\(quoted(file))"))?.message.contains("no directory") == true)
    // The PATH that counts is the program's.
    #expect(openError(command("\"argv\":[\"ls\"],\"env\":{\"PATH\":\"/no/such\"}"))?.code == .sourceUnavailable)
  }

  @Test func aProgramWithASlashIsFoundFromItsDirectory() throws {
    let directory = TemporaryDirectory()
    let path = directory.write("tool", "#!/bin/sh\necho \"$A\"\npwd\n")
    chmod(path, 0o755)
    let source = try opened(command("\"argv\":[\"./tool\"],\"cwd\":\(quoted(directory.path)),\"env\":{\"A\":\"b c\"}"))
    let page = try source.fetch(PageRequest()).get()
    #expect(page.texts.first == "{\"offset\":0,\"text\":\"b c\"}")
    #expect(page.texts.last == "{\"offset\":4,\"text\":\(quoted(directory.path))}")
    source.close()
    // Without a line that names an interpreter it is no program, and no shell is asked.
    chmod(directory.write("script", "echo hello\n"), 0o755)
    let script = try opened(command("\"argv\":[\(quoted(directory.path + "/script"))]"))
    guard case .failure(let error) = script.fetch(PageRequest()) else {
      Issue.record("a file without a format was executed")
      return
    }
    #expect(error.message.contains("Exec format error"))
  }

  @Test func theEnvironmentIsOursWithChanges() throws {
    setenv("PAGEWIRE_TEST_KEPT", "kept", 1)
    setenv("PAGEWIRE_TEST_GONE", "gone", 1)
    let source = try opened(
      command("\"argv\":[\"env\"],\"env\":{\"PAGEWIRE_TEST_GONE\":null,\"PAGEWIRE_TEST_NEW\":\"a=b\"}"))
    let texts = try walk(source, pageSize: 1_000).flatMap(\.page.texts).joined(separator: "\n")
    #expect(texts.contains("PAGEWIRE_TEST_KEPT=kept"))
    #expect(texts.contains("PAGEWIRE_TEST_NEW=a=b"))
    #expect(!texts.contains("PAGEWIRE_TEST_GONE"))
    source.close()
    // What it was set to may be a secret.
    let shown = source.shownText.map { String(decoding: $0, as: UTF8.self) }
    #expect(
      shown
        == "{\"type\":\"command\",\"argv\":[\"env\"],\"env\":{\"PAGEWIRE_TEST_GONE\":null,\"PAGEWIRE_TEST_NEW\":null}}")
  }

  @Test func argumentsAreFilledIn() {
    let arguments = [
      "{page}", "--offset={offset}", "{limit}{limit}", "{page}:{cursor}", "{unknown}", "{{page}}", "{", "{cursor",
      "{\"a\":{offset}}",
    ]
    let template = ArgumentTemplate(arguments: arguments.map { Array($0.utf8) })
    func filled(_ cursor: String?) -> [String]? {
      let request = PageRequest(cursor: cursor.map { Array($0.utf8) }, page: 3, offset: 60, limit: 20)
      return template.filled(for: request)?.map { String(decoding: $0, as: UTF8.self) }
    }
    let expected = ["{page}", "--offset=60", "2020", "3:x\"y", "{unknown}", "{3}", "{", "{cursor", "{\"a\":60}"]
    #expect(filled("\"x\\\"y\"") == expected)
    #expect(filled("{\"a\":1}")?[3] == "3:{\"a\":1}")
    #expect(filled("7")?[3] == "3:7")
    #expect(filled(nil)?[3] == "3:")
    #expect(filled("\"a\\u0000\"") == nil)
  }
}
