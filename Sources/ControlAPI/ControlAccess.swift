internal import HTTP
internal import HTTPTypes
public import Payments
internal import Values

/// Who may use the control API.
public enum ControlAccess: Sendable {
    /// Clients on this machine that address this machine. Everyone else gets 404.
    ///
    /// That the connection comes from a loopback address is not enough: a browser on this machine sends what any page
    /// on the internet tells it to. So the `Host` must be a loopback one, which a name that an attacker rebinds to
    /// 127.0.0.1 is not; an `Origin`, which browsers add to what pages send, must be an allowed one; without one, no page of
    /// another site may have made the request (`Sec-Fetch-Site`), unless a person goes to a page by it; and there must be no
    /// trace of a proxy, behind which everyone seems to ask from this machine.
    case loopback
    /// Clients with this token (RFC 6750 §2.1), from any address.
    case bearer(PresentedPassword)
}

extension ControlAccess {
    /// What becomes of a request.
    enum Verdict: Equatable {
        case admitted
        /// For this one there is no control API.
        case hidden
        /// The token is absent or wrong.
        case unauthorized
    }

    /// Judges a request by its head and its peer.
    func verdict(on request: Request, _ origins: ControlOrigins) -> Verdict {
        switch self {
        case .loopback: Self.isOfThisMachine(request, origins) ? .admitted : .hidden
        case .bearer(let token): Self.bears(token, request.credentials(.authorization)) ? .admitted : .unauthorized
        }
    }

    /// What proxies and the networks in front of them add, each its own; of `X-Forwarded` there are ever more.
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

    /// Whether a page of another site made a request other than by a link that someone follows (W3C, "Fetch Metadata Request
    /// Headers"). The fields of a kind are judged together, so that none hides another.
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
