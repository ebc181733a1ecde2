/// A program under measurement gave a wrong answer, died or went silent, so there is no figure.
struct Misbehaviour: Error {
  var program: String
  var what: String
}
