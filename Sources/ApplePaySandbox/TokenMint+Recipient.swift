public import ApplePay

extension TokenMint.Recipient {
    /// Why a merchant's keys can't be used for a recipient.
    public enum Fault: Error, Equatable, Sendable {
        /// The merchant has no key.
        case noKey
        /// The merchant has no key for this token version.
        case noKeyOfVersion(TokenVersion)
        /// The key's merchant identifier is unknown.
        case noMerchantIdentifier
        /// OpenSSL can't use the key.
        case unusableKey

        /// The fault, as a phrase about the merchant.
        public var explanation: String {
            switch self {
            case .noKey: "no such merchant with an Apple Pay key in the configuration"
            case .noKeyOfVersion(let version): "none of its keys is for \(version.rawValue)"
            case .noMerchantIdentifier: "no merchant identifier is configured"
            case .unusableKey: "its key can't be used"
            }
        }
    }

    /// Creates the recipient with a merchant's key for a token version. If there are several keys, the last one is
    /// used: it is the newest during a change of certificates.
    public init(ofKeys keys: [PaymentProcessingKey], _ version: TokenVersion) throws(Fault) {
        guard !keys.isEmpty else { throw .noKey }
        guard let key = keys.last(where: { $0.tokenVersion == version }) else { throw .noKeyOfVersion(version) }
        guard let hash = key.merchantIdentifierHash else { throw .noMerchantIdentifier }
        do { try self.init(publicKey: key.publicKey, merchantIdentifierHash: hash) } catch { throw .unusableKey }
    }
}
