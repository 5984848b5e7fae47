/// What a document may cost before it is refused.
///
/// All but ``textBytesMax`` are checked before libxml2 sees a byte, in one pass over the text, as libxml2 itself takes time
/// that grows with the square of a tag's attributes.
public struct XMLLimits: Equatable, Sendable {
    /// The most bytes that any limits allow: 16 MiB.
    public static let bytesCeiling = 1 << 24

    /// The deepest nesting that any limits allow; libxml2 gives up at 256.
    public static let depthCeiling = 128

    /// The limits of a merchant's request: 256 KiB, 16 levels, 1 024 elements, 32 attributes an element and 4 096 bytes each,
    /// 64 KiB of text an element, 128 bytes a name, 16 namespace declarations.
    public static let `default` = XMLLimits()

    /// The most bytes in a document, a byte order mark included.
    public let bytesMax: Int

    /// The most elements open at once. The root counts as 1.
    public let depthMax: Int

    /// The most elements in a document.
    public let elementsMax: Int

    /// The most attributes of one element, namespace declarations included.
    public let attributesMax: Int

    /// The most bytes of an attribute's value in the text, before entities are replaced.
    public let attributeBytesMax: Int

    /// The most bytes of one element's text, with its references replaced.
    public let textBytesMax: Int

    /// The most bytes of an element's or attribute's name with its prefix.
    public let nameBytesMax: Int

    /// The most namespace declarations in a document.
    public let namespacesMax: Int

    /// Limits within the ceilings, which are preconditions: limits are the program's choice, never a peer's.
    ///
    /// - Parameters:
    ///   - bytesMax: bytes in a document, from 0 to ``bytesCeiling``.
    ///   - depthMax: elements open at once, from 1 to ``depthCeiling``.
    ///   - elementsMax: elements in a document, at least 1.
    ///   - attributesMax: attributes of an element, from 0 to 1 024.
    ///   - attributeBytesMax: bytes of an attribute's value, at least 0.
    ///   - textBytesMax: bytes of an element's text, at least 0.
    ///   - nameBytesMax: bytes of a name, from 1 to 1 024.
    ///   - namespacesMax: namespace declarations in a document, from 0 to 1 024.
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
