import Access
import ArgumentParser
import Glibc
import OpenSSL
import Values

/// `tollgate certificate self-signed`: creates a key and a self-signed certificate, for trying TLS out.
struct CertificateSelfSigned: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "self-signed",
        abstract: "Make a key and a certificate that signs itself, for trying TLS out.",
        discussion: """
            Clients must be configured to trust this certificate itself. The key is an unencrypted P-256 key in a file that \
            only its owner can read. Existing files are never overwritten.
            """)

    @Option(
        help: ArgumentHelp(
            "A host name or address that the certificate is for; may be repeated (default: localhost, 127.0.0.1 and ::1). "
                + "With --client, what the client is called.", valueName: "host"))
    var name: [String] = []

    @Option(
        help: ArgumentHelp("The folder for certificate.pem and key.pem, made if it isn't there.", valueName: "folder"))
    var out: String

    @Option(help: ArgumentHelp("How many days the certificate is valid, from 1 to 825.", valueName: "number"))
    var days = 90

    @Flag(help: "A client's certificate, for mutual TLS.")
    var client = false

    private static let localNames = ["localhost", "127.0.0.1", "::1"]

    func validate() throws {
        // Some clients refuse a longer validity.
        guard (1...825).contains(days) else { throw ValidationError("--days: 1 to 825") }
        if client {
            guard name.count == 1, (1...64).contains(name[0].unicodeScalars.count) else {
                throw ValidationError("--client: it requires one --name of 1 to 64 characters")
            }
        } else {
            for each in name where Self.subject(each) == nil {
                throw ValidationError("--name: \(each) is neither a host's name nor an address")
            }
        }
    }

    func run() throws {
        let now = SystemClock.now().secondsSinceEpoch
        let key = try PrivateKey.generate(.p256)
        let names = name.isEmpty ? Self.localNames : name
        let form = TLSCertificateForm(
            // A common name has at most 64 characters, fewer than a host name may have. Here it is only a label.
            commonName: String(names[0].prefix(64)), names: client ? [] : names.compactMap(Self.subject),
            purpose: client ? .client : .server)
        // A client's clock may be slow.
        let certificate = try form.certificate(
            for: key, notBeforeSecondsSinceEpoch: now - 3600, notAfterSecondsSinceEpoch: now + Int64(days) * 86_400)
        guard mkdir(out, 0o700) == 0 || errno == EEXIST else { throw Failure("\(out): \(File.systemError())") }
        guard !File.exists(certificatePath) else {
            throw Failure("\(certificatePath): it is there already; name another folder with --out")
        }
        try key.pem().withUnsafeBytes { try File.writeNew(keyPath, mode: 0o600, $0) }
        try certificate.pem().withUnsafeBytes { try File.writeNew(certificatePath, mode: 0o644, $0) }
        let until = Instant(secondsSinceEpoch: certificate.notAfterSecondsSinceEpoch)
        StandardOutput.writeLine(
            """
            certificate  \(certificatePath)
            key          \(keyPath)
            names        \(names.map { "\(EscapedLine($0))" }.joined(separator: ", "))
            validUntil   \(until.wholeSeconds)
            fingerprint  \(Hexadecimal.encoded(certificate.fingerprint))

            """)
        StandardOutput.writeLine(client ? clientUse(certificate) : serverUse(names[0]))
    }

    private var certificatePath: String { "\(out)/certificate.pem" }
    private var keyPath: String { "\(out)/key.pem" }

    private func serverUse(_ name: String) -> String {
        let host = name.contains(":") ? "[\(name)]" : name
        return """
            Serve with it, and ask over TLS:

              tollgate serve --tls-certificate \(ShellWord.quoted(certificatePath)) --tls-key \(ShellWord.quoted(keyPath))
              curl --cacert \(ShellWord.quoted(certificatePath)) https://\(host):8080/api/rest/version/100/information
            """
    }

    private func clientUse(_ certificate: Certificate) -> String {
        """
        Have the gateway accept it, and a merchant be known by it:

          tollgate serve … --tls-client-ca \(ShellWord.quoted(certificatePath))
          certificates: [\(Hexadecimal.encoded(certificate.fingerprint))]

        of which the second line is for the merchant's file. Then ask with

          curl --cert \(ShellWord.quoted(certificatePath)) --key \(ShellWord.quoted(keyPath)) …
        """
    }

    /// The subject alternative name for a string; nil if it is neither an IP address nor a host name (RFC 1123 §2.1).
    static func subject(_ text: String) -> TLSCertificateForm.Name? {
        var address = in6_addr()
        if inet_pton(AF_INET6, text, &address) == 1 { return .address(withUnsafeBytes(of: address) { Array($0) }) }
        var address4 = in_addr()
        if inet_pton(AF_INET, text, &address4) == 1 { return .address(withUnsafeBytes(of: address4) { Array($0) }) }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.enumerated().allSatisfy { index, label in
            (index == 0 && labels.count > 2 && label == "*")
                || (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { byte in
                        (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
                            || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || byte == UInt8(ascii: "-")
                    }
        }
        // A malformed IPv4 address must not become a host name.
        let isNumeric = labels.last?.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } == true
        return isName && !isNumeric && text.utf8.count <= 253 ? .host(text) : nil
    }
}
