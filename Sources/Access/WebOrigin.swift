/// The origin of a web page (RFC 6454), as browsers send it in `Origin`: a scheme, a host, and the port unless it is the
/// scheme's default.
public struct WebOrigin: Hashable, Sendable {
    /// The origin as browsers write it: `https://shop.example:8443`.
    public let text: String
    /// The host alone: `shop.example`, `127.0.0.1`, `[::1]`.
    public let host: String

    /// Parses an origin.
    ///
    /// - Returns: nil unless it has the form that browsers write: `http` or `https`, lower-case ASCII, without a path, a
    ///   wildcard or user information. Also nil for the origin `null`.
    public init?(_ text: String) {
        let schemes = [("http://", UInt16(80)), ("https://", 443)]
        guard text.utf8.count <= 300, let (scheme, standardPort) = schemes.first(where: { text.hasPrefix($0.0) })
        else { return nil }
        let authority = text.dropFirst(scheme.count)
        guard let end = Self.endOfHost(authority) else { return nil }
        let port = authority[end...]
        if !port.isEmpty {
            guard port.first == ":", let number = UInt16(port.dropFirst()), number != 0, number != standardPort,
                String(number) == port.dropFirst()
            else { return nil }
        }
        self.text = text
        host = String(authority[..<end])
    }

    /// The end of the host; nil if the authority has no valid host.
    private static func endOfHost(_ authority: Substring) -> Substring.Index? {
        if authority.first == "[" {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            let address = authority[..<bracket].dropFirst()
            let isAddress =
                address.contains(":") && address.allSatisfy { $0 == ":" || $0 == "." || $0.isLowercaseHexadecimal }
            return isAddress ? authority.index(after: bracket) : nil
        }
        let end = authority.firstIndex(of: ":") ?? authority.endIndex
        let labels = authority[..<end].split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            !label.isEmpty && label.allSatisfy { $0.isLowercaseLetterOrDigit || $0 == "-" || $0 == "_" }
        }
        return isName ? end : nil
    }
}

extension Character {
    fileprivate var isLowercaseLetterOrDigit: Bool { ("a"..."z").contains(self) || ("0"..."9").contains(self) }
    fileprivate var isLowercaseHexadecimal: Bool { ("a"..."f").contains(self) || ("0"..."9").contains(self) }
}
