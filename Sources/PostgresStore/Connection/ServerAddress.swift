internal import CLibPQ
internal import Glibc

/// The server's address and credentials, as libpq parameters: those of the URL, and Tollgate's defaults.
///
/// It may contain a password, so its description shows nothing.
struct ServerAddress: Sendable, CustomStringConvertible, CustomReflectable {
    let keywords: [String]
    let values: [String]
    /// The hosts, ports and database, for display.
    let place: String

    /// Reads a URL of the form `postgres://user:password@host:port/database?parameter=value`, in libpq's syntax.
    /// Several hosts are separated by commas. Reserved characters in users, passwords and names are percent-encoded.
    ///
    /// Unless the URL sets `sslmode`, the server's certificate and name are verified (`verify-full`). Trusted are the
    /// system's authorities, unless the URL, `PGSSLROOTCERT` or libpq's own file names others. A server with only
    /// loopback hosts needs no certificate (`prefer`), and TLS does not apply to Unix sockets.
    ///
    /// - Source: PostgreSQL 15, "34.1.1.2. Connection URIs"
    init(url: String) throws(PostgresStore.OpenFailure) {
        let scheme = ["postgres://", "postgresql://"].first { url.hasPrefix($0) }
        guard let scheme, !url.utf8.contains(0) else {
            throw .url(detail: "a PostgreSQL URL begins with postgres://")
        }
        // libpq would parse on after such a character, and its messages would show part of the password.
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        guard authority.count(where: { $0 == "@" }) <= 1, !rest.dropFirst(authority.count).contains("@") else {
            throw .url(detail: "@, /, ? and # in a user, a password or a name are written %40, %2F, %3F and %23")
        }
        // libpq's message is not used: it repeats the URL.
        guard let options = PQconninfoParse(url, nil) else {
            throw .url(detail: "it can't be read, or a parameter is unknown")
        }
        defer { PQconninfoFree(options) }
        var given: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { given[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        try Self.check(given)
        place = Self.place(given)
        let mode = given["sslmode"] ?? (Self.isOnLoopback(given) ? "prefer" : "verify-full")
        given["sslmode"] = mode
        // With root certificates, libpq verifies in any mode, and in a mode that doesn't require TLS then falls back to
        // plain text.
        if given["sslrootcert"] == nil, mode.hasPrefix("verify"), let bundle = Self.systemAuthorities() {
            given["sslrootcert"] = bundle
        }
        if given["gssencmode"] == nil { given["gssencmode"] = "disable" }
        if given["application_name"] == nil { given["application_name"] = "tollgate" }
        given["client_encoding"] = "UTF8"
        let sorted = given.sorted { $0.key < $1.key }
        keywords = sorted.map(\.key)
        values = sorted.map(\.value)
    }

    /// Only the type's name.
    var description: String { "ServerAddress" }
    /// An empty mirror.
    var customMirror: Mirror { Mirror(self, children: []) }

    /// Whether a text contains the password.
    func isRevealed(by text: String) -> Bool {
        guard let index = keywords.firstIndex(of: "password"), !values[index].isEmpty else { return false }
        return text.contains(values[index])
    }

    private static let modes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

    /// Refuses invalid values that libpq would repeat in its error message.
    private static func check(_ given: [String: String]) throws(PostgresStore.OpenFailure) {
        if let ports = given["port"] {
            guard ports.split(separator: ",").allSatisfy({ UInt16($0) != nil }) else {
                throw .url(detail: "a port is not a number from 0 to 65535")
            }
        }
        if let mode = given["sslmode"], !modes.contains(mode) {
            throw .url(detail: "sslmode is one of \(modes.joined(separator: ", "))")
        }
    }

    /// Whether every host is a loopback name or address, and no environment variable names another one.
    private static func isOnLoopback(_ given: [String: String]) -> Bool {
        let isNamedElsewhere = getenv("PGHOSTADDR") != nil || getenv("PGSERVICE") != nil || given["service"] != nil
        guard !isNamedElsewhere, let hosts = given["hostaddr"] ?? given["host"] else { return false }
        return hosts.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { host in
            host == "localhost" || host == "::1" || (host.hasPrefix("127.") && isIPv4Address(host))
        }
    }

    private static func isIPv4Address(_ text: some StringProtocol) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, String(text), &address) == 1
    }

    private static func place(_ given: [String: String]) -> String {
        func parts(_ keyword: String) -> [Substring] {
            given[keyword]?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        }
        let hosts = given["host"] == nil ? parts("hostaddr") : parts("host")
        let ports = parts("port")
        let servers = hosts.enumerated().map { index, host in
            let port = ports.count == 1 ? ports.first : ports.indices.contains(index) ? ports[index] : nil
            return host + (port.map { $0.isEmpty ? "" : ":" + $0 } ?? "")
        }
        let server = servers.isEmpty ? "libpq's default host" : servers.joined(separator: ",")
        guard let database = given["dbname"], !database.isEmpty else { return server }
        return "\(server), database \(database)"
    }

    /// Debian's bundle of root certificates; nil if other authorities are configured.
    private static func systemAuthorities() -> String? {
        let bundle = "/etc/ssl/certs/ca-certificates.crt"
        guard getenv("PGSSLROOTCERT") == nil, access(bundle, R_OK) == 0 else { return nil }
        if let home = getenv("HOME"), access(String(cString: home) + "/.postgresql/root.crt", F_OK) == 0 { return nil }
        return bundle
    }
}
