import Testing

@testable import XML

/// Expects that a text is refused for one reason, and at one offset if it is given.
@discardableResult
func expectFault(
    _ reason: XMLFault.Reason, at offset: Int? = nil, in text: [UInt8], limits: XMLLimits = .default,
    sourceLocation: SourceLocation = #_sourceLocation
) -> XMLFault? {
    let fault = #expect(throws: XMLFault.self, sourceLocation: sourceLocation) { try XMLDocument(text, limits: limits) }
    #expect(fault?.reason == reason, sourceLocation: sourceLocation)
    if let offset { #expect(fault?.offset == offset, sourceLocation: sourceLocation) }
    return fault
}

/// The same of a string.
@discardableResult
func expectFault(
    _ reason: XMLFault.Reason, at offset: Int? = nil, in text: String, limits: XMLLimits = .default,
    sourceLocation: SourceLocation = #_sourceLocation
) -> XMLFault? {
    expectFault(reason, at: offset, in: Array(text.utf8), limits: limits, sourceLocation: sourceLocation)
}

/// What libxml2 alone says of a text that no scanner has seen.
func withoutScanner(_ text: String) -> Result<Tree, XMLFault> {
    Array(text.utf8).withUnsafeBytes { bytes in
        Result { () throws(XMLFault) in try Parser.tree(of: bytes, textBytesMax: XMLLimits.default.textBytesMax) }
    }
}
