import Access
import JSON
import OpenSSL
import Values

/// The contents of a file with keys or certificates, item by item. It contains no private key material.
struct CertificateReport: CustomStringConvertible {
    private let path: String
    private var items: [ReportItem]

    /// Reads a file. `now` is the time from which the remaining days are counted.
    init(_ path: String, password: KeyPassword?, now: Instant) throws {
        self.path = path
        let content = try File.readSecret(path, byteCountMax: 1 << 20, users: .anyone)
        items = try content.withUnsafeBytes { bytes in
            let blocks = PEMBlock.all(in: bytes)
            if blocks.isEmpty { return try Self.items(der: bytes, path, password, now) }
            return try blocks.flatMap { try Self.items($0, path, password, now) }
        }
        guard !items.isEmpty else { throw Failure("\(path): holds no private key, certificate or request") }
    }

    private static func items(
        _ block: PEMBlock, _ path: String, _ password: KeyPassword?, _ now: Instant
    ) throws -> [ReportItem] {
        do {
            if block.isPrivateKey {
                guard !block.isEncrypted || password != nil else { return [.locked("encrypted private key")] }
                return [try .privateKey(try PrivateKey(pem: block.text, password: password?.text))]
            }
            switch block.label {
            case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE":
                return [try .certificate(try Certificate(pem: Array(block.text)), now: now)]
            case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST":
                return [try .request(try CertificateRequest(pem: Array(block.text)))]
            default: return []
            }
        } catch let error as OpenSSLError {
            throw failure(path, block.label, error, password)
        }
    }

    private static func items(
        der: UnsafeRawBufferPointer, _ path: String, _ password: KeyPassword?, _ now: Instant
    ) throws -> [ReportItem] {
        if PKCS12.isEncoded(in: der) {
            guard let password else { return [.locked("PKCS#12 file")] }
            do {
                let file = try PKCS12(der: der, password: password.text)
                return try (file.privateKey.map { [try .privateKey($0)] } ?? [])
                    + file.certificates.map { try .certificate($0, now: now) }
            } catch let error as OpenSSLError {
                throw failure(path, "PKCS#12 file", error, password)
            }
        }
        if let certificate = try? Certificate(der: Array(der)) { return [try .certificate(certificate, now: now)] }
        if let request = try? CertificateRequest(der: Array(der)) { return [try .request(request)] }
        throw Failure(
            "\(path): neither PEM with a private key, certificate or request, nor a certificate, a request or a PKCS#12 "
                + "file in DER")
    }

    private static func failure(
        _ path: String, _ what: String, _ error: OpenSSLError, _ password: KeyPassword?
    ) -> Failure {
        let source = error == .wrongPassword ? " (from \(password?.source ?? "nobody"))" : ""
        return Failure("\(path): \(EscapedLine(what)): \(error)\(source)")
    }

    /// An object with the file's name and an array of its items.
    var json: JSONValue {
        .object(["file": .string(path), "items": .array(items.map(\.json))])
    }

    /// A block of lines per item.
    var description: String { items.map(\.description).joined(separator: "\n\n") }
}
