import Foundation
import JSONText
import Testing

/// The public JSON test suite, where it has been put beside the package.
///
/// Everything it covers is covered by tables here too.
private let suite = URL(fileURLWithPath: #filePath)
  .appendingPathComponent("../../../../shared/data/jsontestsuite").standardizedFileURL

/// Pagewire's choice where the suite leaves it open: what is grammatical is accepted, whatever it means; broken UTF-8, other
/// encodings and byte order marks are not.
private let openOnesAccepted: Set<String> = [
  "i_number_double_huge_neg_exp", "i_number_huge_exp", "i_number_neg_int_huge_exp", "i_number_pos_double_huge_exp",
  "i_number_real_neg_overflow", "i_number_real_pos_overflow", "i_number_real_underflow", "i_number_too_big_neg_int",
  "i_number_too_big_pos_int", "i_number_very_big_negative_int", "i_object_key_lone_2nd_surrogate",
  "i_string_1st_surrogate_but_2nd_missing", "i_string_1st_valid_surrogate_2nd_invalid",
  "i_string_incomplete_surrogate_and_escape_valid", "i_string_incomplete_surrogate_pair",
  "i_string_incomplete_surrogates_escape_valid", "i_string_invalid_lonely_surrogate", "i_string_invalid_surrogate",
  "i_string_inverted_surrogates_U+1D11E", "i_string_lone_second_surrogate", "i_structure_500_nested_arrays",
]

@Test(.enabled(if: FileManager.default.fileExists(atPath: suite.path)))
func thePublicSuiteAgrees() throws {
  let files = try FileManager.default.contentsOfDirectory(at: suite, includingPropertiesForKeys: nil)
  var count = 0
  for file in files where file.pathExtension == "json" {
    let name = file.deletingPathExtension().lastPathComponent
    // `Data(contentsOf:)` leaks a block for a file that is empty, which the address sanitizer would be told of.
    let text = try FileHandle(forReadingFrom: file).readToEnd() ?? Data()
    let error = Sample([UInt8](text)).error()
    let isWanted = name.hasPrefix("y_") || openOnesAccepted.contains(name)
    #expect((error == nil) == isWanted, "\(name): \(String(describing: error))")
    count += 1
  }
  #expect(count > 300)
}
