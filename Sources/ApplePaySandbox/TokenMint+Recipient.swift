public import ApplePay

extension TokenMint.Recipient {
    /// Why a merchant's keys don't make a recipient.
    public enum Fault: Error, Equatable, Sendable {
        /// There is no key at all.
        case noKey
        /// None of the keys is for tokens of this version.
        case noKeyOfVersion(TokenVersion)
        /// It is not known for which merchant identifier the key is.
        case noMerchantIdentifier
        /// OpenSSL can't use the key.
        case unusableKey

        /// What is wrong, as one says it of the merchant.
        public var explanation: String {
            switch self {
            case .noKey: "no such merchant with an Apple Pay key in the configuration"
            case .noKeyOfVersion(let version): "none of its keys is for \(version.rawValue)"
            case .noMerchantIdentifier: "no merchant identifier is configured"
            case .unusableKey: "its key can't be used"
            }
        }
    }

    /// The recipient with a merchant's key for tokens of a version: of several the last one, which is the newest while
    /// certificates are being changed.
    public init(ofKeys keys: [PaymentProcessingKey], _ version: TokenVersion) throws(Fault) {
        guard !keys.isEmpty else { throw .noKey }
        guard let key = keys.last(where: { $0.tokenVersion == version }) else { throw .noKeyOfVersion(version) }
        guard let hash = key.merchantIdentifierHash else { throw .noMerchantIdentifier }
        do { try self.init(publicKey: key.publicKey, merchantIdentifierHash: hash) } catch { throw .unusableKey }
    }
}
