import Glibc
import OpenSSL
import Values

/// A key and a certificate that signs itself, in a test's folder.
struct TLSFiles {
    let key: PrivateKey
    let certificate: Certificate
    let certificatePath: String
    let keyPath: String

    /// The machine's time.
    static let now = Int64(time(nil))
    static let day: Int64 = 86_400

    /// Writes `NAME.pem` and `NAME-key.pem`.
    init(
        _ name: String, in folder: TestFolder, purpose: TLSCertificateForm.Purpose = .server, from: Int64 = now - day,
        to: Int64 = now + 60 * day
    ) throws {
        key = try PrivateKey.generate(.p256)
        certificate = try TLSCertificateForm(
            commonName: name, names: [.host("localhost"), .address([127, 0, 0, 1])], purpose: purpose
        ).certificate(for: key, notBeforeSecondsSinceEpoch: from, notAfterSecondsSinceEpoch: to)
        certificatePath = try folder.write("\(name).pem", certificate.pem())
        keyPath = try folder.writeSecret("\(name)-key.pem", try key.pem().withUnsafeBytes { Array($0) })
    }

    /// The fingerprint as a merchant's file has it.
    var fingerprint: String {
        certificate.fingerprint.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    var options: [String] { ["--tls-certificate", certificatePath, "--tls-key", keyPath] }
}

/// The built program, serving over TLS on a port of this machine that the system chose.
final class TLSGateway {
    let process: ChildProcess
    let port: UInt16
    private let folder: TestFolder
    private let trust: String

    /// Starts a gateway on the folder's data directory, and waits until it listens.
    ///
    /// - Parameter trust: the file with which clients know it.
    init(
        in folder: TestFolder, _ arguments: [String], environment: [String: String] = [:], trust: String
    ) throws {
        process = try ChildProcess(
            try BuiltProgram.path(), ["serve", "--port", "0", "--data", folder.data] + arguments,
            environment: environment, errors: folder.errors)
        let firstLine = try process.firstLine()
        let start = "listening on https://"
        guard firstLine.hasPrefix(start), let port = firstLine.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw ChildProcess.Failure.outputEnded(outputSoFar: firstLine)
        }
        self.port = port
        self.folder = folder
        self.trust = trust
    }

    func kill() { process.kill() }

    /// What a client sees of one request.
    struct Seen: Equatable {
        /// What curl exits with: 0 if there was a response.
        let exit: Int32
        /// The response's status, or 0.
        let status: Int
    }

    /// Sends a GET with curl, and further options of that.
    func get(_ path: String = "/api/rest/version/100/information", _ options: [String] = []) throws -> Seen {
        let curl = try ChildProcess(
            "/usr/bin/curl",
            ["-sS", "--max-time", "60", "-o", "/dev/null", "-w", "%{http_code}", "--cacert", trust]
                + options + ["https://localhost:\(port)\(path)"],
            errors: folder.path + "/curl-errors")
        let status = Int(String(decoding: try curl.outputToEnd(), as: UTF8.self)) ?? -1
        guard case .exited(let exit) = try curl.wait() else { throw HTTPConnection.Failure.endedEarly }
        return Seen(exit: exit, status: status)
    }

    /// A client that trusts one certificate.
    static func client(_ server: Certificate) throws -> TLSContext {
        try TLSContext(clientTrusting: TrustStore(roots: [server]), applicationProtocols: ["http/1.1"])
    }
}

extension TLSFiles {
    /// What curl needs to present it.
    var curlOptions: [String] { ["--cert", certificatePath, "--key", keyPath] }
}
