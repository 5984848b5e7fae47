/// Why a string is not an identifier.
public enum MalformedIdentifier: Error, Equatable, Sendable {
    /// The string is empty.
    case empty
    /// The string has more than 40 characters.
    case tooLong(characters: Int)
    /// The string contains a character that this kind of identifier can't have.
    case unexpectedCharacter
    /// The string is `.` or `..`, which clients and proxies remove from paths.
    case dotSegment
}

/// Checks the length of an identifier.
///
/// - Throws: unless the string has 1 to 40 characters.
public func checkIdentifierLength(_ text: String) throws(MalformedIdentifier) {
    guard !text.isEmpty else { throw .empty }
    // A peer's string may have any length. The byte count is checked first: 40 characters have at most 160 bytes of
    // UTF-8.
    guard text.utf8.count <= 4 * 40, text.unicodeScalars.count <= 40 else {
        throw .tooLong(characters: text.unicodeScalars.count)
    }
}

/// Checks that a string is safe as an identifier in paths, in logs and within other text.
///
/// - Throws: unless it has 1 to 40 characters, is neither `.` nor `..`, and contains no control characters, line
///   separators or characters that change the text direction.
public func checkIdentifier(_ text: String) throws(MalformedIdentifier) {
    try checkIdentifierLength(text)
    guard text != ".", text != ".." else { throw .dotSegment }
    let isPrintable = text.unicodeScalars.allSatisfy { scalar in
        // ASCII characters need no lookup of their properties.
        guard scalar.value >= 0x7F else { return scalar.value >= 0x20 }
        guard !scalar.properties.isBidiControl else { return false }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
    guard isPrintable else { throw .unexpectedCharacter }
}
