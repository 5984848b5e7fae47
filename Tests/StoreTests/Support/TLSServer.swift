import Foundation
@testable import PostgresStore
import TestSupport
import Testing

/// A server with a certificate by an authority of its own.
struct TLSServer {
    let authority: TemporaryDirectory
    private let server: PostgresServer

    /// A server whose certificate is for `name`.
    init(named name: String) throws {
        authority = try TemporaryDirectory()
        try Self.makeAuthority(in: authority)
        let (certificate, key) = try Self.issued(to: name, by: authority)
        server = try PostgresServer(
            settings: ["ssl=on", "ssl_cert_file=../server.crt", "ssl_key_file=../server.key"],
            files: ["server.crt": certificate, "server.key": key])
    }

    /// Removes the authority; the server goes with its last user.
    func remove() { authority.remove() }

    static func makeAuthority(in directory: TemporaryDirectory) throws {
        try openssl(
            in: directory, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
            "2", "-subj", "/CN=Test Authority", "-keyout", "ca.key", "-out", "ca.crt")
    }

    private static func issued(
        to name: String, by authority: TemporaryDirectory
    ) throws -> (certificate: String, key: String) {
        let isAddress = name.allSatisfy { $0.isNumber || $0 == "." }
        try "subjectAltName=\(isAddress ? "IP" : "DNS"):\(name)\n".write(
            toFile: authority.path + "/extensions", atomically: false, encoding: .utf8)
        try openssl(
            in: authority, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
            "/CN=server", "-keyout", "server.key", "-out", "server.csr")
        try openssl(
            in: authority, "x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-days", "2",
            "-set_serial", "1", "-extfile", "extensions", "-out", "server.crt")
        func text(_ name: String) throws -> String {
            try String(contentsOfFile: "\(authority.path)/\(name)", encoding: .utf8)
        }
        return (try text("server.crt"), try text("server.key"))
    }

    private static func openssl(in directory: TemporaryDirectory, _ arguments: String...) throws {
        let command = try FinishedCommand("/usr/bin/openssl", arguments, in: directory.path)
        try #require(command.status == 0, "openssl \(arguments.joined(separator: " ")): \(command.errorText)")
    }

    /// Opens and closes a store, by a host's name or address.
    func open(at host: String, _ parameters: String) async throws {
        let password = PostgresServer.password.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        try await PostgresStore(
            patiently: "postgres://postgres:\(password)@\(host):\(server.port)/postgres?\(parameters)"
        ).close()
    }

    /// Why a store can't be opened.
    func refusal(at host: String, _ parameters: String) async throws -> String {
        let failure = await #expect(throws: PostgresStore.OpenFailure.self) { try await open(at: host, parameters) }
        guard case .unreachable(let detail) = failure else { return "\(String(describing: failure))" }
        return detail
    }
}
