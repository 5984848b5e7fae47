/// What a document may cost before it is refused. Every limit is checked while the document is read, so a refused
/// document never costs more than an accepted one.
public struct JSONLimits: Equatable, Sendable {
    /// The most bytes that any limits allow: 256 MiB. A node counts its members in 28 bits.
    public static let bytesCeiling = 1 << 28

    /// The deepest nesting that any limits allow. Trees are walked recursively, and a Dispatch thread's stack is 512 KiB.
    public static let depthCeiling = 128

    /// The limits of a merchant's request: 1 MiB, 32 levels, 65 536 values.
    public static let `default` = JSONLimits()

    /// The most bytes in a document.
    public let bytesMax: Int

    /// The most arrays and objects open at once. The outermost counts as 1; a document that is one scalar has depth 0.
    public let depthMax: Int

    /// The most values in a document: scalars, arrays and objects. Names do not count.
    public let valuesMax: Int

    /// Limits within the ceilings, which are preconditions: limits are the program's choice, never a peer's.
    ///
    /// - Parameters:
    ///   - bytesMax: bytes in a document, from 0 to ``bytesCeiling``.
    ///   - depthMax: arrays and objects open at once, from 0 to ``depthCeiling``.
    ///   - valuesMax: values in a document, at least 1.
    public init(bytesMax: Int = 1 << 20, depthMax: Int = 32, valuesMax: Int = 1 << 16) {
        precondition((0...Self.bytesCeiling).contains(bytesMax), "bytesMax is outside 0...bytesCeiling")
        precondition((0...Self.depthCeiling).contains(depthMax), "depthMax is outside 0...depthCeiling")
        precondition(valuesMax >= 1, "a document holds at least one value")
        self.bytesMax = bytesMax
        self.depthMax = depthMax
        self.valuesMax = valuesMax
    }
}
