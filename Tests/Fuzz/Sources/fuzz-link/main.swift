// Link headers: a value a line.
import FuzzSupport
import Glibc

@testable import PageSources

/// A link as it would be sent.
func text(_ link: LinkHeader.Link) -> [UInt8] {
  var text = Array("<".utf8) + link.target + Array(">".utf8)
  if !link.relations.isEmpty {
    let relations = link.relations.joined(separator: " ")
    text += Array("; rel=\"".utf8)
    for byte in relations.utf8 {
      if byte == 0x22 || byte == 0x5C { text.append(0x5C) }
      text.append(byte)
    }
    text.append(0x22)
  }
  return text + Array(link.hasAnchor ? "; anchor=\"#a\"".utf8 : "".utf8)
}

func checkHeader(_ input: [UInt8]) {
  let values = input.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
  let links = LinkHeader(values).links
  Fuzzing.check(links == values.flatMap { LinkHeader([$0]).links }, "headers are read one by one")
  for link in links {
    Fuzzing.check(!link.target.contains(0x3E), "a target ends at its bracket")
    let areWords = link.relations.allSatisfy { !$0.isEmpty && $0 == $0.lowercased() }
    Fuzzing.check(areWords, "relations are words in lower case")
  }
  // Links written down plainly, in one header or each in its own, are the same links.
  let written = links.map(text)
  Fuzzing.check(LinkHeader(written).links == links, "links that are written and read are others")
  Fuzzing.check(
    LinkHeader([Array(written.joined(separator: [0x2C, 0x20]))]).links == links, "links in one header are others")
  for relation in ["next", "prev", "NEXT"] {
    let first = links.first { !$0.hasAnchor && $0.relations.contains(relation.lowercased()) }
    Fuzzing.check(LinkHeader(values).target(relation) == first?.target, "the first link of a relation counts")
  }
}

exit(
  Fuzzing.run { start, count in
    checkHeader(Fuzzing.bytes(start, count))
    return 0
  })
