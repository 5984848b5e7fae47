/// Enforces limits on OpenSSL's input, record by record (RFC 8446 §5.1), where OpenSSL itself has none or high ones: on
/// the announced size of a ClientHello, for which OpenSSL would allocate up to 128 KiB; on the bytes of a whole
/// handshake; and on consecutive records without application data.
struct TLSRecordMeter: Sendable {
    /// The maximum size of a ClientHello in bytes, for each of the up to two of one handshake.
    static let clientHelloBytesMax = 16 * 1024
    /// The maximum number of the peer's bytes in a handshake, including record headers.
    static let handshakeBytesMax = 128 * 1024
    /// The maximum number of consecutive records without application data.
    static let recordsWithoutDataMax = 32

    /// Whether the handshake is complete, so that application data can be exchanged.
    private(set) var isEstablished = false

    private var inspectsHellos: Bool
    private var isFirstByte = true
    private var handshakeBytes = 0
    private var recordsWithoutData = 0

    // The state of the present record.
    private var recordHeader: [5 of UInt8] = [0, 0, 0, 0, 0]
    private var recordHeaderCount = 0
    private var payloadBytes = 0

    // The state of the present handshake message.
    private var messageHeader: [4 of UInt8] = [0, 0, 0, 0]
    private var messageHeaderCount = 0
    private var messageBytes = 0
    private var hellos = 0

    init(isServer: Bool) { inspectsHellos = isServer }

    mutating func establish() {
        isEstablished = true
        inspectsHellos = false
    }

    mutating func noteApplicationData() { recordsWithoutData = 0 }

    /// Counts bytes that OpenSSL reads next. OpenSSL reads a record only after it has processed the previous one.
    ///
    /// - Parameter isTLS13: whether TLS 1.3 has been negotiated.
    mutating func admit(_ bytes: UnsafeRawBufferPointer, isTLS13: Bool) throws(TLSFailure) {
        if !isEstablished {
            handshakeBytes += bytes.count
            guard handshakeBytes <= Self.handshakeBytesMax else { throw .tooLarge }
        }
        var position = 0
        while position < bytes.count {
            guard recordHeaderCount == recordHeader.count else {
                try admitHeader(bytes[position])
                position += 1
                continue
            }
            let count = min(payloadBytes, bytes.count - position)
            if inspectsHellos, recordHeader[0] == 22 {
                try inspect(UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)]), isTLS13: isTLS13)
            }
            position += count
            payloadBytes -= count
            if payloadBytes == 0 { recordHeaderCount = 0 }
        }
    }

    private mutating func admitHeader(_ byte: UInt8) throws(TLSFailure) {
        if isFirstByte {
            isFirstByte = false
            // An SSL 2.0 hello (RFC 6176).
            guard byte & 0x80 == 0 else { throw .notTLS }
        }
        recordHeader[recordHeaderCount] = byte
        recordHeaderCount += 1
        guard recordHeaderCount == recordHeader.count else { return }
        payloadBytes = Int(recordHeader[3]) << 8 | Int(recordHeader[4])
        // Encrypted records can't be inspected.
        if recordHeader[0] == 23 { inspectsHellos = false }
        if isEstablished {
            recordsWithoutData += 1
            guard recordsWithoutData <= Self.recordsWithoutDataMax else { throw .tooManyRecords }
        }
        if payloadBytes == 0 { recordHeaderCount = 0 }
    }

    /// Parses handshake messages (RFC 8446 §4) as long as they are unencrypted ClientHellos: one, or two with TLS 1.3
    /// if the server requested another key share.
    private mutating func inspect(_ bytes: UnsafeRawBufferPointer, isTLS13: Bool) throws(TLSFailure) {
        var position = 0
        while position < bytes.count, inspectsHellos {
            let count = min(messageBytes, bytes.count - position)
            position += count
            messageBytes -= count
            guard position < bytes.count else { return }
            guard hellos == 0 || (hellos == 1 && isTLS13) else {
                inspectsHellos = false
                return
            }
            messageHeader[messageHeaderCount] = bytes[position]
            messageHeaderCount += 1
            position += 1
            guard messageHeaderCount == messageHeader.count else { continue }
            messageHeaderCount = 0
            guard messageHeader[0] == 1 else {
                inspectsHellos = false
                return
            }
            messageBytes = Int(messageHeader[1]) << 16 | Int(messageHeader[2]) << 8 | Int(messageHeader[3])
            guard messageBytes <= Self.clientHelloBytesMax else { throw .tooLarge }
            hellos += 1
        }
    }
}
