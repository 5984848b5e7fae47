internal import JSON
internal import Values
public import Vault

extension SealingPurpose {
    /// Authentication tokens: an issuer's proof of payer authentication for an order's payments, from another provider.
    public static let authenticationToken = SealingPurpose("authentication token")
}

/// The particulars that are stored sealed, because replies repeat them and they must not be stored in plaintext.
enum SealedParticulars {
    /// The paths of the sealed strings. `3DSecure` until API version 56, `authentication` from 57 on.
    private static let paths: [[String]] = [
        ["3DSecure", "authenticationToken"], ["authentication", "3ds", "authenticationToken"],
    ]

    /// The particulars with `change` applied to each of the sealed strings.
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
    /// A request's particulars in their stored form.
    func sealed(particulars: JSONValue, of order: OrderKey) -> JSONValue {
        SealedParticulars.changing(particulars) { text in
            let bytes = SecretText(text).withUTF8 { SecretBytes(copying: $0) }
            return Base64.encoded(seal(bytes, for: SealedOwner(.authenticationToken, order)))
        }
    }

    /// Stored particulars in the form that replies repeat.
    func opened(particulars: JSONValue, of order: OrderKey) throws(SealingFault) -> JSONValue {
        try SealedParticulars.changing(particulars) { (text) throws(SealingFault) in
            guard let sealed = Base64.decoded(text) else { throw .malformed }
            // Sealing is authenticated and only strings are sealed, so the plaintext is valid UTF-8.
            return try open(sealed, of: SealedOwner(.authenticationToken, order)).withUnsafeBytes {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }
}
