/// The authorities (RFC 3986 §3.2) that always refer to this machine.
enum LoopbackAuthority {
    /// Whether an authority is `localhost`, an address of 127.0.0.0/8 in four decimal numbers, or `[::1]`, with any port or
    /// none.
    static func isLoopback(_ authority: String) -> Bool {
        guard authority.utf8.first == UInt8(ascii: "[") else {
            let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 1 || (parts.count == 2 && isPort(parts[1])) else { return false }
            return parts[0].lowercased() == "localhost" || isLoopbackAddress(parts[0])
        }
        guard authority.hasPrefix("[::1]") else { return false }
        let rest = authority.dropFirst(5)
        return rest.isEmpty || (rest.hasPrefix(":") && isPort(rest.dropFirst()))
    }

    /// Whether an `Origin` (RFC 6454 §7) is that of a page on this machine. `null` is not.
    static func isLoopback(origin: String) -> Bool {
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            return isLoopback(String(origin.dropFirst(scheme.count)))
        }
        return false
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.utf8.allSatisfy(isDigit) && UInt16(text) != nil
    }

    /// Requires four decimal numbers. Resolvers also accept other forms of IPv4 addresses, but no client needs them.
    private static func isLoopbackAddress(_ host: Substring) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count == 4, numbers[0] == "127" else { return false }
        return numbers.allSatisfy { number in
            number.utf8.allSatisfy(isDigit) && UInt8(number).map { String($0) == number } ?? false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
