internal import HTTPTypes
internal import Payments
internal import Values

extension Merchant {
    /// The SHA-256 hash, in hexadecimal or base 64, in the header field that the merchant's configuration names. A
    /// request without the field has none, which is refused only if the request has a token.
    func applicationDataHash(in fields: HTTPFields) throws(ErrorReply) -> [UInt8]? {
        guard case .header(let text) = tokenMatching.applicationData, let name = HTTPField.Name(text) else {
            return nil
        }
        let values = fields[values: name]
        guard let value = values.first else { return nil }
        let hash = Hexadecimal.decoded(value.utf8) ?? Base64.decoded(value)
        guard values.count == 1, let hash, hash.count == 32 else {
            throw ErrorReply("Header '\(text)' is invalid. Expected one SHA-256 in hexadecimal or base64")
        }
        return hash
    }
}
