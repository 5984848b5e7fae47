internal import ApplePay
internal import Values
internal import Vault

/// What recognises a payment that a device made, in whichever form it comes: as a token, as a part of one that is for several
/// merchants, or as the cryptogram that a merchant found in it.
struct DevicePaymentMarks {
    /// What nobody else may use.
    let digests: [[UInt8]]
    /// What some others may use as well.
    let sharedDigests: [TokenUse.SharedDigest]

    /// The marks of a token. The whole payment takes all its parts; a part takes itself, and keeps others off the whole. A
    /// token's cryptograms keep off requests that send them without it.
    init(_ token: OpenedToken, of payee: Payee, _ key: InstallationKey) {
        let paymentData = token.paymentData
        let whole = key.digest(of: token.transactionId)
        func part(_ entry: AuthenticationResponse) -> [UInt8] {
            key.digest(of: token.transactionId, entry: entry.merchantIdentifier)
        }
        var cryptograms = [TokenUse.SharedDigest]()
        if case .threeDSecure(let cryptogram, _) = paymentData.detail {
            cryptograms += paymentData.mark(of: cryptogram, key)
        }
        if let entry = (try? payee.response(in: paymentData)) ?? nil {
            cryptograms += paymentData.mark(of: entry.authenticationData, key)
            self.init([part(entry)], [TokenUse.SharedDigest(whole, .parts)] + cryptograms)
        } else {
            let entries = paymentData.authenticationResponses
            cryptograms += entries.flatMap { paymentData.mark(of: $0.authenticationData, key) }
            self.init([whole] + entries.map(part), cryptograms)
        }
    }

    /// The marks of what a merchant found in a token; nil for a card without a device. A merchant may send the same
    /// data for several orders, as happens when the examples of Mastercard's page are tried.
    init?(_ card: Card, _ key: InstallationKey) {
        guard case .threeDSecure(let cryptogram, _) = card.devicePayment else { return nil }
        let digest = key.digest(ofCryptogram: cryptogram, of: card.accountNumber)
        self.init([], [TokenUse.SharedDigest(digest, .cryptogram)])
    }

    private init(_ digests: [[UInt8]], _ shared: [TokenUse.SharedDigest]) {
        var seen = Set<[UInt8]>()
        sharedDigests = shared.filter { seen.insert($0.digest).inserted }
        self.digests = digests.filter { seen.insert($0).inserted }
    }

    /// The use that a transaction makes of the payment. VERIFY moves no money, whatever its outcome.
    func use(by transaction: Transaction) -> TokenUse {
        TokenUse(
            digests: digests, sharedDigests: sharedDigests,
            isCredited: transaction.type != .verification && transaction.gatewayCode.mayHaveMovedMoney)
    }
}

extension PaymentData {
    /// The mark of a cryptogram of the 3-D Secure form; none of another form, which only a token can hold.
    fileprivate func mark(of cryptogram: SecretText, _ key: InstallationKey) -> [TokenUse.SharedDigest] {
        guard case .threeDSecure = detail else { return [] }
        return [
            TokenUse.SharedDigest(key.digest(ofCryptogram: cryptogram, of: applicationPrimaryAccountNumber), .token)
        ]
    }
}
