internal import Glibc

/// Counts what a server sends until it has answered, so that it can't fill the memory however long it may take.
///
/// libpq doesn't say how much it reads. What the kernel holds for it is asked for instead, before and after; what comes
/// while libpq reads may go uncounted.
struct ReceivedBytes {
    /// Of a connection that nothing was asked on, whether it is being made or idle: 1 MiB. A server then only tells of its
    /// settings, and why it ends a connection.
    static let unaskedMax = 1 << 20

    /// For all the answers of one pipeline together: 128 MiB. The largest question is an order's history, of at most 500
    /// transactions; each of them may then say some 250 KiB, a hundred times as much as is common.
    static let answersMax = 1 << 27

    private let bytesMax: Int
    private var bytes = 0

    /// Of a connection that nothing was asked on.
    static func unasked() -> ReceivedBytes { ReceivedBytes(bytesMax: unaskedMax) }

    /// Of a connection that is to answer.
    static func answers() -> ReceivedBytes { ReceivedBytes(bytesMax: answersMax) }

    private init(bytesMax: Int) { self.bytesMax = bytesMax }

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
