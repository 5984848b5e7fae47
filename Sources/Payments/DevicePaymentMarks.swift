internal import ApplePay

/// What recognises a payment that a device made, as a token or as a part of one that is for several merchants.
struct DevicePaymentMarks {
    /// What nobody else may use.
    let digests: [[UInt8]]
    /// What some others may use as well.
    let sharedDigests: [TokenUse.SharedDigest]

    /// The marks of a token. The whole payment takes all its parts; a part takes itself, and keeps others off the whole.
    init(_ token: OpenedToken, of payee: Payee, _ key: InstallationKey) {
        let paymentData = token.paymentData
        let whole = key.digest(of: token.transactionId)
        func part(_ entry: AuthenticationResponse) -> [UInt8] {
            key.digest(of: token.transactionId, entry: entry.merchantIdentifier)
        }
        if let entry = (try? payee.response(in: paymentData)) ?? nil {
            self.init([part(entry)], [TokenUse.SharedDigest(whole, .parts)])
        } else {
            self.init([whole] + paymentData.authenticationResponses.map(part), [])
        }
    }

    private init(_ digests: [[UInt8]], _ shared: [TokenUse.SharedDigest]) {
        var seen = Set<[UInt8]>()
        sharedDigests = shared.filter { seen.insert($0.digest).inserted }
        self.digests = digests.filter { seen.insert($0).inserted }
    }

    /// The use that a transaction makes of the payment.
    func use(by transaction: Transaction) -> TokenUse {
        TokenUse(
            digests: digests, sharedDigests: sharedDigests,
            isCredited: transaction.gatewayCode.mayHaveMovedMoney)
    }
}
