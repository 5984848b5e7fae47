internal import COpenSSL

/// The transport of one OpenSSL connection: received bytes, and bytes to send.
///
/// It is a class because OpenSSL's callbacks receive a pointer to it. It is confined to its ``TLSConnection``, which
/// outlives every call.
final class TLSBuffers {
    private(set) var output: [UInt8] = []
    private(set) var outputStart = 0
    private(set) var inputEnded = false
    private var meter: TLSRecordMeter
    /// Why received bytes were withheld from OpenSSL; nil if they were not.
    private(set) var refusal: TLSFailure?

    private var input: [UInt8] = []
    private var inputStart = 0

    /// `SSL *`, borrowed from the connection.
    private let ssl: OpaquePointer

    init(ssl: OpaquePointer, isServer: Bool) {
        self.ssl = ssl
        meter = TLSRecordMeter(isServer: isServer)
    }

    /// The maximum capacity of an empty buffer. Larger buffers are released once they are empty.
    private static let idleCapacityMax = 2 * 1024

    var inputBytes: Int { input.count - inputStart }
    var outputBytes: Int { output.count - outputStart }

    func receive(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { input.append(contentsOf: $0) }
    }

    func receiveEnd() { inputEnded = true }

    func discardInput() {
        input = []
        inputStart = 0
    }

    func noteApplicationData() { meter.noteApplicationData() }

    func establish() { meter.establish() }

    func consumeOutput(_ count: Int) {
        precondition(count >= 0 && count <= outputBytes, "consumed more bytes than are pending")
        outputStart += count
        guard outputStart == output.count else { return }
        output.removeAll(keepingCapacity: output.capacity <= Self.idleCapacityMax)
        outputStart = 0
    }

    /// Lets OpenSSL read up to `buffer.count` bytes. Returns nil if there are none now, 0 if there will be no more.
    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard refusal == nil else { return 0 }
        let count = min(buffer.count, inputBytes)
        guard count > 0 else { return inputEnded ? 0 : nil }
        input.withUnsafeBytes { input in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[inputStart..<(inputStart + count)]))
        }
        inputStart += count
        if inputStart == input.count {
            input.removeAll(keepingCapacity: input.capacity <= Self.idleCapacityMax)
            inputStart = 0
        }
        do throws(TLSFailure) {
            try meter.admit(
                UnsafeRawBufferPointer(rebasing: buffer[..<count]), isTLS13: SSL_version(ssl) == TLS1_3_VERSION)
        } catch {
            refusal = error
            return 0
        }
        return count
    }

    /// Whether OpenSSL has been informed of the end of input.
    fileprivate var isAtEnd: Bool { refusal == nil && inputEnded && inputBytes == 0 }

    fileprivate func write(_ bytes: UnsafeRawBufferPointer) { output.append(contentsOf: bytes) }

    /// Appends an unencrypted fatal alert (RFC 8446 §6) after a hello that was withheld from OpenSSL:
    /// `protocol_version` for an SSL 2.0 hello, otherwise `illegal_parameter`.
    func appendAlert() { output.append(contentsOf: [21, 3, 3, 0, 2, 2, refusal == .notTLS ? 70 : 47]) }
}

extension TLSBuffers {
    /// Creates a `BIO` that reads and writes these buffers, which must outlive it.
    func makeBIO() -> OpaquePointer? {
        guard let bio = BIO_new(Self.method) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    private static func of(_ bio: OpaquePointer?) -> TLSBuffers {
        guard let object = BIO_get_data(bio) else { preconditionFailure("every BIO is made with its buffers") }
        return Unmanaged.fromOpaque(object).takeUnretainedValue()
    }

    /// `BIO_METHOD *`. Never freed: it is used until the program exits.
    nonisolated(unsafe) private static let method: OpaquePointer = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "tollgate") else {
            preconditionFailure("a machine without memory")
        }
        BIO_meth_set_read(method) { bio, start, count in
            shim_BIO_clear_retry_flags(bio)
            let buffer = UnsafeMutableRawBufferPointer(start: start, count: Int(max(0, count)))
            guard let count = TLSBuffers.of(bio).read(into: buffer) else {
                shim_BIO_set_retry_read(bio)
                return -1
            }
            return Int32(count)
        }
        BIO_meth_set_write(method) { bio, start, count in
            shim_BIO_clear_retry_flags(bio)
            TLSBuffers.of(bio).write(UnsafeRawBufferPointer(start: start, count: Int(max(0, count))))
            return count
        }
        BIO_meth_set_ctrl(method) { bio, command, _, _ in
            switch command {
            case BIO_CTRL_FLUSH: 1
            case BIO_CTRL_EOF: TLSBuffers.of(bio).isAtEnd ? 1 : 0
            default: 0
            }
        }
        return method
    }()
}
