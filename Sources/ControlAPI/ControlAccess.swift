internal import HTTP
internal import HTTPTypes
public import Payments
internal import Values

/// The rule that decides which clients may use the control API.
public enum ControlAccess: Sendable {
    /// Clients on this machine that address this machine. All others get 404.
    ///
    /// A connection from a loopback address is not sufficient: a browser on this machine sends requests for any page on
    /// the internet. So these conditions must hold, too:
    /// - The `Host` is a loopback host. A name that an attacker rebinds to 127.0.0.1 is not.
    /// - The `Origin`, which browsers add to requests of pages, is an allowed one, if present.
    /// - Without an `Origin`, the request was not made by a page of another site (`Sec-Fetch-Site`), except by
    ///   navigation.
    /// - No header field indicates a proxy, since all clients of a local proxy appear to be on this machine.
    case loopback
    /// Clients with this token (RFC 6750 §2.1), from any address.
    case bearer(PresentedPassword)
}

extension ControlAccess {
    /// The decision on a request.
    enum Verdict: Equatable {
        case admitted
        /// The control API does not exist for this client (404).
        case hidden
        /// The token is absent or wrong.
        case unauthorized
    }

    /// Judges a request by its head and its peer address.
    func verdict(on request: Request, _ origins: ControlOrigins) -> Verdict {
        switch self {
        case .loopback: Self.isOfThisMachine(request, origins) ? .admitted : .hidden
        case .bearer(let token): Self.bears(token, request.credentials(.authorization)) ? .admitted : .unauthorized
        }
    }

    /// The header fields that proxies and the networks in front of them add. Fields with the prefix `x-forwarded` also
    /// count, but are not listed here, since new ones keep appearing.
    private static let proxyFields: Set<String> = [
        "cdn-loop", "cf-connecting-ip", "fastly-client-ip", "forwarded", "true-client-ip", "via", "x-amzn-trace-id",
        "x-azure-clientip", "x-client-ip", "x-cluster-client-ip", "x-envoy-external-address",
        "x-original-forwarded-for",
        "x-original-host", "x-original-url", "x-proxyuser-ip", "x-real-ip", "x-request-start", "x-scheme",
    ]

    private static func isProxyField(_ field: HTTPField) -> Bool {
        proxyFields.contains(field.name.canonicalName) || field.name.canonicalName.hasPrefix("x-forwarded")
    }

    private static func isOfThisMachine(_ request: Request, _ allowed: ControlOrigins) -> Bool {
        guard request.peer?.isLoopback == true, let authority = request.head.authority,
            LoopbackAuthority.isLoopback(authority)
        else { return false }
        let fields = request.head.headerFields
        guard !fields.contains(where: isProxyField) else { return false }
        let origins = fields[values: .origin]
        guard origins.isEmpty else { return origins.count == 1 && allowed.allows(origins[0]) }
        return !isOfAnotherSite(request.head.method, fields)
    }

    /// Whether a page of another site made the request, other than by navigation (W3C, "Fetch Metadata Request Headers").
    /// All fields of the same name are checked, so that a repeated field can't hide another.
    private static func isOfAnotherSite(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> Bool {
        func values(_ name: String) -> [String] { HTTPField.Name(name).map { fields[values: $0] } ?? [] }
        guard values("Sec-Fetch-Site").contains("cross-site") else { return false }
        let isNavigation =
            method == .get && values("Sec-Fetch-Site").count == 1 && values("Sec-Fetch-Mode") == ["navigate"]
            && values("Sec-Fetch-Dest").allSatisfy { $0 == "document" }
        return !isNavigation
    }

    private static func bears(_ token: PresentedPassword, _ values: [WipedBuffer]) -> Bool {
        guard values.count == 1 else { return false }
        return values[0].withUnsafeBytes { value in
            let parts = value.split(separator: UInt8(ascii: " "), maxSplits: 1)
            guard parts.count == 2, parts[0].lazy.map({ $0 | 0x20 }).elementsEqual("bearer".utf8) else { return false }
            return PresentedPassword(SecretText(utf8: UnsafeRawBufferPointer(rebasing: parts[1]))) == token
        }
    }
}
