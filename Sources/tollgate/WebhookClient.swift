import Dispatch
import Glibc
import OpenSSL
internal import Payments
import RadialAPI
import Synchronization
import Values

/// Sends messages to merchants' webhooks over HTTP/1.1. Each message blocks a thread of its own, so the caller bounds
/// their number. Over `https`, the server's chain must end in an authority that this machine trusts, and match the
/// URL's host.
final class WebhookClient: Sendable {
    /// The time limit for one message in seconds, from connecting to the status.
    static let seconds: UInt64 = 10
    /// The maximum number of bytes of a response's head that are read for its status.
    private static let headBytesMax = 16 * 1024

    private let authorities = Mutex<TLSContext?>(nil)
    private let report: @Sendable (String) -> Void

    /// Creates a client.
    ///
    /// - Parameter report: called with one line that says why a message was not accepted.
    init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// Sends a message.
    ///
    /// - Returns: whether the server accepted it with a 2xx status.
    func send(_ message: WebhookMessage) async -> Bool {
        await withCheckedContinuation { continuation in
            // A serial queue gets a thread at once, however many others are blocked on their servers. A concurrent
            // queue shares the threads on which the program's tasks run.
            DispatchQueue(label: "tollgate.webhook", qos: .utility).async {
                do throws(Failure) {
                    let status = try self.status(of: message)
                    guard !(200...299).contains(status) else { return continuation.resume(returning: true) }
                    self.report("\(message.webhook.address): answered \(status)")
                } catch {
                    self.report("\(error)")
                }
                continuation.resume(returning: false)
            }
        }
    }

    /// Runs on the queue.
    private func status(of message: WebhookMessage) throws(Failure) -> Int {
        let address = message.webhook.address
        let deadline = SystemClock.monotonicNanoseconds() + Self.seconds * 1_000_000_000
        let socket = try OutgoingSocket.connected(
            host: address.host, port: String(address.port), named: "\(address)", until: deadline)
        var head: [UInt8] = []
        if address.isEncrypted {
            var connection = EncryptedConnection(try context(), serverName: address.host, over: socket)
            try connection.handshake("\(address)")
            try connection.send(message.request)
            while head.status == nil, head.count < Self.headBytesMax {
                let bytes = try connection.receive("\(address)")
                guard !bytes.isEmpty else { break }
                head += bytes
            }
        } else {
            try socket.send(message.request)
            while head.status == nil, head.count < Self.headBytesMax {
                let bytes = try socket.receive()
                guard !bytes.isEmpty else { break }
                head += bytes
            }
        }
        guard let status = head.status else { throw Failure("\(address): no answer in HTTP") }
        return status
    }

    /// The TLS context that trusts the machine's authorities, read once.
    private func context() throws(Failure) -> TLSContext {
        if let context = authorities.withLock({ $0 }) { return context }
        let path = getenv("SSL_CERT_FILE").map { String(cString: $0) } ?? "/etc/ssl/certs/ca-certificates.crt"
        let context: TLSContext
        do {
            let roots = try Certificate.all(pem: try File.readRegular(path, byteCountMax: 1 << 22))
            context = try TLSContext(clientTrusting: try TrustStore(roots: roots), applicationProtocols: ["http/1.1"])
        } catch {
            throw Failure("\(path): no authorities that a webhook's server could be known by: \(error)")
        }
        authorities.withLock { $0 = context }
        return context
    }
}

/// A blocking TLS connection over a socket.
private struct EncryptedConnection: ~Copyable {
    private var tls: TLSConnection
    private let socket: OutgoingSocket

    init(_ context: TLSContext, serverName: String, over socket: consuming OutgoingSocket) {
        tls = TLSConnection(context, serverName: serverName)
        self.socket = socket
    }

    mutating func handshake(_ name: String) throws(Failure) {
        while !tls.isEstablished {
            guard try read(name) == nil else { throw Failure("\(name): closed before TLS was established") }
        }
    }

    mutating func send(_ bytes: [UInt8]) throws(Failure) {
        var written = 0
        while written < bytes.count {
            do throws(TLSFailure) { written += try tls.write(bytes, from: written) } catch {
                throw Failure("TLS: \(error)")
            }
            try flush()
        }
    }

    /// Waits for bytes; empty at the end of the stream.
    mutating func receive(_ name: String) throws(Failure) -> [UInt8] {
        while true {
            if let bytes = try read(name) { return bytes }
        }
    }

    /// Performs one step. Returns bytes, an empty array at the end of the stream, or nil if there are no bytes yet.
    private mutating func read(_ name: String) throws(Failure) -> [UInt8]? {
        let wasEstablished = tls.isEstablished
        var chunk = [UInt8](repeating: 0, count: 8192)
        var result = TLSConnection.Read.wouldBlock
        var failure: TLSFailure?
        chunk.withUnsafeMutableBytes { buffer in
            do throws(TLSFailure) { result = try tls.read(into: buffer) } catch { failure = error }
        }
        if let failure {
            // OpenSSL's alert about the failure is sent to the server if possible.
            try? flush()
            throw Failure("\(name): TLS: \(failure)")
        }
        try flush()
        switch result {
        case .bytes(let count): return Array(chunk[..<count])
        case .closed: return []
        case .wouldBlock:
            // After the handshake the client sends first: the server may send nothing before the request.
            guard tls.isEstablished == wasEstablished else { return nil }
            let received = try socket.receive()
            if received.isEmpty { tls.receiveEnd() } else { tls.receive(received.span) }
            return nil
        }
    }

    private mutating func flush() throws(Failure) {
        guard tls.outputBytes > 0 else { return }
        let output = Array(tls.output[tls.outputStart...])
        try socket.send(output)
        tls.consumeOutput(output.count)
    }
}

extension WebhookMessage {
    /// The HTTP request, after whose response the connection closes.
    fileprivate var request: [UInt8] {
        let address = webhook.address
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        let usual: UInt16 = address.isEncrypted ? 443 : 80
        var head =
            "POST \(address.target) HTTP/1.1\r\nHost: \(host)\(address.port == usual ? "" : ":\(address.port)")\r\n"
        if let credentials = webhook.credentials {
            let text = "\(credentials.user):\(credentials.password.revealed())"
            head += "Authorization: Basic \(Base64.encoded(Array(text.utf8)))\r\n"
        }
        head += "Tollgate-Event-Id: \(id)\r\n"
        head += "Content-Type: text/xml;charset=UTF-8\r\nContent-Length: \(content.count)\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + content
    }
}

extension [UInt8] {
    /// The status of a response whose status line is complete. Interim responses (1xx) are skipped with their heads.
    fileprivate var status: Int? {
        var rest = self[...]
        while let end = rest.firstRange(of: Array("\r\n".utf8))?.lowerBound {
            let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
            guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return nil }
            guard (100...199).contains(status) else { return status }
            guard let next = rest.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
            rest = rest[next...]
        }
        return nil
    }
}
