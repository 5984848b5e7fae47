import JSON
import Values

/// A token's signature and what it is over, put together from its members by the letter of Apple's reference.
struct TokenParts {
    let signature: [UInt8]
    let signedContent: [UInt8]

    init(_ token: String) throws {
        let root = try JSONValue(parsing: token)
        func bytes(_ value: JSONValue?) -> [UInt8] {
            guard case .string(let text)? = value else { return [] }
            return Base64.decoded(text) ?? []
        }
        func hexadecimal(_ value: JSONValue?) -> [UInt8] {
            guard case .string(let text)? = value else { return [] }
            return Hexadecimal.decoded(Array(text.utf8)) ?? []
        }
        let header = root["header"]
        signature = bytes(root["signature"])
        signedContent =
            bytes(header?["wrappedKey"] ?? header?["ephemeralPublicKey"]) + bytes(root["data"])
            + hexadecimal(header?["transactionId"]) + hexadecimal(header?["applicationData"])
    }
}
