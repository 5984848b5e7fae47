/// The limits on a document.
///
/// All except ``textBytesMax`` are checked in one pass before libxml2 parses the document, because libxml2 takes time
/// that is quadratic in the number of a tag's attributes.
public struct XMLLimits: Equatable, Sendable {
    /// The maximum of `bytesMax`: 16 MiB.
    public static let bytesCeiling = 1 << 24

    /// The maximum of `depthMax`; libxml2's own limit is 256.
    public static let depthCeiling = 128

    /// The limits of a merchant's request: 256 KiB, 16 levels, 1 024 elements; for each element 32 attributes, 4 096
    /// bytes per attribute and 64 KiB of text; 128 bytes per name, 16 namespace declarations.
    public static let `default` = XMLLimits()

    /// The maximum size of a document in bytes, including a byte order mark.
    public let bytesMax: Int

    /// The maximum nesting depth of elements. The root has depth 1.
    public let depthMax: Int

    /// The maximum number of elements in a document.
    public let elementsMax: Int

    /// The maximum number of attributes of one element, including namespace declarations.
    public let attributesMax: Int

    /// The maximum size of an attribute's value in bytes, before entities are replaced.
    public let attributeBytesMax: Int

    /// The maximum size of one element's text in bytes, after references are replaced.
    public let textBytesMax: Int

    /// The maximum size of an element's or attribute's name with its prefix, in bytes.
    public let nameBytesMax: Int

    /// The maximum number of namespace declarations in a document.
    public let namespacesMax: Int

    /// Creates limits. Exceeding a ceiling is a programming error: limits must never come from a peer.
    ///
    /// - Parameters:
    ///   - bytesMax: the maximum size of a document in bytes, from 0 to ``bytesCeiling``.
    ///   - depthMax: the maximum nesting depth of elements, from 1 to ``depthCeiling``.
    ///   - elementsMax: the maximum number of elements, at least 1.
    ///   - attributesMax: the maximum number of attributes of an element, from 0 to 1 024.
    ///   - attributeBytesMax: the maximum size of an attribute's value in bytes, at least 0.
    ///   - textBytesMax: the maximum size of an element's text in bytes, at least 0.
    ///   - nameBytesMax: the maximum size of a name in bytes, from 1 to 1 024.
    ///   - namespacesMax: the maximum number of namespace declarations, from 0 to 1 024.
    public init(
        bytesMax: Int = 1 << 18, depthMax: Int = 16, elementsMax: Int = 1 << 10, attributesMax: Int = 32,
        attributeBytesMax: Int = 1 << 12, textBytesMax: Int = 1 << 16, nameBytesMax: Int = 128, namespacesMax: Int = 16
    ) {
        precondition((0...Self.bytesCeiling).contains(bytesMax), "bytesMax is outside 0...bytesCeiling")
        precondition((1...Self.depthCeiling).contains(depthMax), "depthMax is outside 1...depthCeiling")
        precondition(elementsMax >= 1, "a document holds at least one element")
        precondition((0...1024).contains(attributesMax), "attributesMax is outside 0...1024")
        precondition(attributeBytesMax >= 0 && textBytesMax >= 0, "a length is not negative")
        precondition((1...1024).contains(nameBytesMax), "nameBytesMax is outside 1...1024")
        precondition((0...1024).contains(namespacesMax), "namespacesMax is outside 0...1024")
        self.bytesMax = bytesMax
        self.depthMax = depthMax
        self.elementsMax = elementsMax
        self.attributesMax = attributesMax
        self.attributeBytesMax = attributeBytesMax
        self.textBytesMax = textBytesMax
        self.nameBytesMax = nameBytesMax
        self.namespacesMax = namespacesMax
    }
}
