internal import ApplePay
internal import Values
internal import Vault

/// The digests that identify a device's payment in any form: as a token, as one merchant's part of a token for several
/// merchants, or as the cryptogram that a merchant decrypted from a token.
struct DevicePaymentMarks {
    /// Digests that no other payment may use.
    let digests: [[UInt8]]
    /// Digests that certain other payments may use, too.
    let sharedDigests: [TokenUse.SharedDigest]

    /// The marks of a token. A payment of the whole token takes all its parts; a payment of one part takes that part,
    /// and prevents a payment of the whole. The cryptograms of a token can't be sent in requests without the token.
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

    /// The marks of data that a merchant decrypted from a token; nil for a card without a device's cryptogram. A
    /// merchant may send the same data for several orders, as when trying out the examples on Mastercard's page.
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

    /// A transaction's use of the payment. VERIFY moves no money, whatever its outcome.
    func use(by transaction: Transaction) -> TokenUse {
        TokenUse(
            digests: digests, sharedDigests: sharedDigests,
            isCredited: transaction.type != .verification && transaction.gatewayCode.mayHaveMovedMoney)
    }
}

extension PaymentData {
    /// The mark of a cryptogram of the 3-D Secure form; empty for other forms, which only tokens can contain.
    fileprivate func mark(of cryptogram: SecretText, _ key: InstallationKey) -> [TokenUse.SharedDigest] {
        guard case .threeDSecure = detail else { return [] }
        return [
            TokenUse.SharedDigest(key.digest(ofCryptogram: cryptogram, of: applicationPrimaryAccountNumber), .token)
        ]
    }
}
