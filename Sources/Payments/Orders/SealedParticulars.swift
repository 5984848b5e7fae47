internal import JSON
internal import Values
public import Vault

extension SealingPurpose {
    /// What an issuer made for an order's payments, as another provider of payer authentication gave it.
    public static let authenticationToken = SealingPurpose("authentication token")
}

/// The members of a request that replies repeat and that are not kept in clear.
enum SealedParticulars {
    /// Where a text stands that is sealed. `3DSecure` until version 56, `authentication` from 57 on.
    private static let paths: [[String]] = [
        ["3DSecure", "authenticationToken"], ["authentication", "3ds", "authenticationToken"],
    ]

    /// The particulars with each of the texts changed.
    static func changing<Fault: Error>(
        _ particulars: JSONValue, _ change: (String) throws(Fault) -> String
    ) throws(Fault) -> JSONValue {
        var changed = particulars
        for path in paths { changed = try changing(changed, path[...], change) }
        return changed
    }

    private static func changing<Fault: Error>(
        _ value: JSONValue, _ path: ArraySlice<String>, _ change: (String) throws(Fault) -> String
    ) throws(Fault) -> JSONValue {
        guard let name = path.first else {
            guard case .string(let text) = value else { return value }
            return .string(try change(text))
        }
        guard case .object(var members) = value, let member = members[name] else { return value }
        members[name] = try changing(member, path.dropFirst(), change)
        return .object(members)
    }
}

extension KeyRing {
    /// A request's particulars as they are kept.
    func sealed(particulars: JSONValue, of order: OrderKey) -> JSONValue {
        SealedParticulars.changing(particulars) { text in
            let bytes = SecretText(text).withUTF8 { SecretBytes(copying: $0) }
            return Base64.encoded(seal(bytes, for: SealedOwner(.authenticationToken, order)))
        }
    }

    /// Kept particulars as replies repeat them.
    func opened(particulars: JSONValue, of order: OrderKey) throws(SealingFault) -> JSONValue {
        try SealedParticulars.changing(particulars) { (text) throws(SealingFault) in
            guard let sealed = Base64.decoded(text) else { throw .malformed }
            // What is authentic was a text when it was sealed, so it is UTF-8.
            return try open(sealed, of: SealedOwner(.authenticationToken, order)).withUnsafeBytes {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }
}
