internal import JSON
internal import XML

/// Writes a token as the element `WalletPaymentInformation`, for programs that make requests.
public enum WalletPaymentInformationText {
    /// Why a token can't be written this way.
    public enum Unwritable: Error, Equatable {
        /// The text is not a token, or contains characters that XML can't represent.
        case malformed
        /// An `RSA_v1` token: no element for its wrapped key is known.
        case wrappedKey
        /// The header has `applicationData`, for which no element is known. Without it the signature is not valid.
        case applicationData
    }

    /// The element, indented, with the members that the token has.
    ///
    /// - Parameter token: `PKPaymentToken.paymentData`.
    public static func element(for token: [UInt8]) throws(Unwritable) -> [UInt8] {
        let document: JSONDocument
        do throws(JSONFault) { document = try JSONDocument(token) } catch { throw .malformed }
        let (root, header) = (document.root, document.root["header"])
        guard header?["wrappedKey"] == nil else { throw .wrappedKey }
        guard header?["applicationData"] == nil else { throw .applicationData }
        do throws(XMLUnwritable) {
            return try XMLWriter.fragment("WalletPaymentInformation") { wallet throws(XMLUnwritable) in
                try wallet.element("ApplePayTransactionId", optionalText: header?["transactionId"]?.string)
                try wallet.element("EphemeralPublicKey", optionalText: header?["ephemeralPublicKey"]?.string)
                try wallet.element("PublicKeyHash", optionalText: header?["publicKeyHash"]?.string)
                try wallet.element("Version", optionalText: root["version"]?.string)
                try wallet.element("Data", optionalText: root["data"]?.string)
                try wallet.element("Signature", optionalText: root["signature"]?.string)
            }
        } catch {
            throw .malformed
        }
    }
}
