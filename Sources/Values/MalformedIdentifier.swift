/// Why text is not an identifier.
public enum MalformedIdentifier: Error, Equatable, Sendable {
    /// No character at all.
    case empty
    /// More than 40 characters.
    case tooLong(characters: Int)
    /// A character that this kind of identifier doesn't have.
    case unexpectedCharacter
    /// `.` or `..`, which clients and proxies take out of paths.
    case dotSegment
}

/// Refuses a text that is empty or longer than any identifier.
///
/// - Throws: unless it has 1 to 40 characters.
public func checkIdentifierLength(_ text: String) throws(MalformedIdentifier) {
    guard !text.isEmpty else { throw .empty }
    // A peer's text may be of any length; counting stops once it is known to be too long for any encoding of 40.
    guard text.utf8.count <= 4 * 40, text.unicodeScalars.count <= 40 else {
        throw .tooLong(characters: text.unicodeScalars.count)
    }
}

/// Refuses a text that names nothing safely: in a path, in a log, or beside other text.
///
/// - Throws: unless it has 1 to 40 characters, is neither `.` nor `..`, and has no control character, no separator of lines and
///   no character that turns the direction of what follows.
public func checkIdentifier(_ text: String) throws(MalformedIdentifier) {
    try checkIdentifierLength(text)
    guard text != ".", text != ".." else { throw .dotSegment }
    let isPrintable = text.unicodeScalars.allSatisfy { scalar in
        // ASCII needs no look-up.
        guard scalar.value >= 0x7F else { return scalar.value >= 0x20 }
        guard !scalar.properties.isBidiControl else { return false }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
    guard isPrintable else { throw .unexpectedCharacter }
}
