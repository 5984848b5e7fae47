internal import Glibc

/// Limits how many bytes a server may send for one answer, so that it can't exhaust memory.
///
/// libpq doesn't report how much it reads. The number of bytes in the kernel's receive buffer is compared before and
/// after a read; bytes that arrive during the read may go uncounted.
struct ReceivedBytes {
    /// While no query is outstanding, whether the connection is opening or idle: 1 MiB. A server then only reports its
    /// settings, or why it closes the connection.
    static let unaskedMax = 1 << 20

    /// For all answers of one pipeline together: 128 MiB. The largest query returns the history of an order, which has
    /// at most 500 transactions. That leaves about 250 KiB for each, a hundred times the usual size.
    static let answersMax = 1 << 27

    private let bytesMax: Int
    private var bytes = 0

    /// The limit while no query is outstanding.
    static func unasked() -> ReceivedBytes { ReceivedBytes(bytesMax: unaskedMax) }

    /// The limit while answers are outstanding.
    static func answers() -> ReceivedBytes { ReceivedBytes(bytesMax: answersMax) }

    private init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// Whether the limit is exceeded.
    var isFull: Bool { bytes > bytesMax }

    /// The error message for an exceeded limit.
    var detail: String { "PostgreSQL: the server sent more than \(bytesMax) bytes where an answer was due" }

    /// How many bytes the kernel's receive buffer holds for a socket.
    func held(by socket: Int32) -> Int {
        var count: Int32 = 0
        guard ioctl(socket, UInt(FIONREAD), &count) == 0 else { return 0 }
        return Int(count)
    }

    /// Counts what libpq has read since the buffer held `heldBefore` bytes. Up to 16 KiB are counted in full, as libpq
    /// reads that much at a time.
    mutating func count(_ heldBefore: Int, nowHeldBy socket: Int32) {
        let pieceMax = 1 << 14
        bytes += heldBefore <= pieceMax ? heldBefore : Swift.max(pieceMax, heldBefore - held(by: socket))
    }
}
