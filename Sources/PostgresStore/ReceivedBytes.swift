internal import Glibc

/// Counts what a server sends until it has answered, so that it can't fill the memory however long it may take.
///
/// libpq doesn't say how much it reads. What the kernel holds for it is asked for instead, before and after; what comes
/// while libpq reads may go uncounted.
struct ReceivedBytes {
    /// Of a connection that nothing was asked on, whether it is being made or idle: 1 MiB. A server then only tells of its
    /// settings, and why it ends a connection.
    static let unaskedMax = 1 << 20

    /// For so many answers: 16 MiB each and 128 MiB together. An order has at most 500 transactions, so the answer to the
    /// largest question, an order's history, has that many rows; a row may then have 32 KiB, of which a lawful one has a tenth.
    static func max(answers count: Int) -> Int { min(Swift.max(count, 1), 8) << 24 }

    private let bytesMax: Int
    private var bytes = 0

    /// For a connection that nothing was asked on.
    init() { bytesMax = Self.unaskedMax }

    /// For the answers to so many questions.
    init(answers count: Int) { bytesMax = Self.max(answers: count) }

    /// Whether more came than may.
    var isFull: Bool { bytes > bytesMax }

    /// What to say then.
    var detail: String { "PostgreSQL: the server sent more than \(bytesMax) bytes where an answer was due" }

    /// How many bytes the kernel holds that came on a socket.
    func held(by socket: Int32) -> Int {
        var count: Int32 = 0
        guard ioctl(socket, UInt(FIONREAD), &count) == 0 else { return 0 }
        return Int(count)
    }

    /// Counts what libpq has read since so many bytes were held: everything, if that is no more than libpq reads at a time.
    mutating func count(_ heldBefore: Int, nowHeldBy socket: Int32) {
        let pieceMax = 1 << 14
        bytes += heldBefore <= pieceMax ? heldBefore : Swift.max(pieceMax, heldBefore - held(by: socket))
    }
}
