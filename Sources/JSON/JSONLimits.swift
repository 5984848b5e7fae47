/// The limits on a document. They are checked while the document is read, so a refused document never uses more memory
/// or time than an accepted one.
public struct JSONLimits: Equatable, Sendable {
    /// The maximum of `bytesMax`: 256 MiB. A node counts its members in 28 bits.
    public static let bytesCeiling = 1 << 28

    /// The maximum of `depthMax`. Trees are traversed recursively, and a Dispatch thread's stack has 512 KiB.
    public static let depthCeiling = 128

    /// The limits of a merchant's request: 1 MiB, 32 levels, 65 536 values.
    public static let `default` = JSONLimits()

    /// The maximum size of a document in bytes.
    public let bytesMax: Int

    /// The maximum nesting depth of arrays and objects. The outermost has depth 1; a document that is one scalar has
    /// depth 0.
    public let depthMax: Int

    /// The maximum number of values in a document: scalars, arrays and objects. Names do not count.
    public let valuesMax: Int

    /// Creates limits. Exceeding a ceiling is a programming error: limits must never come from a peer.
    ///
    /// - Parameters:
    ///   - bytesMax: the maximum size of a document in bytes, from 0 to ``bytesCeiling``.
    ///   - depthMax: the maximum nesting depth of arrays and objects, from 0 to ``depthCeiling``.
    ///   - valuesMax: the maximum number of values, at least 1.
    public init(bytesMax: Int = 1 << 20, depthMax: Int = 32, valuesMax: Int = 1 << 16) {
        precondition((0...Self.bytesCeiling).contains(bytesMax), "bytesMax is outside 0...bytesCeiling")
        precondition((0...Self.depthCeiling).contains(depthMax), "depthMax is outside 0...depthCeiling")
        precondition(valuesMax >= 1, "a document holds at least one value")
        self.bytesMax = bytesMax
        self.depthMax = depthMax
        self.valuesMax = valuesMax
    }
}
