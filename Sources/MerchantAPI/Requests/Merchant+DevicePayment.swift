internal import ApplePay
internal import JSON
internal import Payments

extension Merchant {
    /// Validates the wallet payment in a request to store fields, as far as possible without opening a token: its
    /// format, and whether the merchant may use it.
    func checkDevicePayment(in request: JSONNode) throws(ErrorReply) {
        let card = request.member("sourceOfFunds")?.member("provided")?.member("card")
        guard let device = card?.member("devicePayment"), device.holdsAnything else { return }
        guard let node = device.member("paymentToken") else {
            return try require(.devicePayments, at: device.path)
        }
        let wallet = request.member("order")?.member("walletProvider")?.string
        if let wallet, wallet != WalletProvider.applePay.rawValue {
            throw .unsupported("order.walletProvider", wallet, "Tokens of APPLE_PAY can be decrypted")
        }
        try require(.devicePayments, at: node.path)
        try require(.applePayDecryption, at: node.path)
        guard let applePay else {
            throw .invalidSecret(
                node.path, "Missing merchant privilege '\(Privilege.applePayDecryption.rawValue)'")
        }
        if let token = node.secretText, let refusal = applePay.refusal(ofFormOf: token) {
            throw .refusedToken(refusal)
        }
    }

    private func require(_ privilege: Privilege, at path: String) throws(ErrorReply) {
        guard privileges.contains(privilege) else {
            throw .invalidSecret(path, "Missing merchant privilege '\(privilege.rawValue)'")
        }
    }
}
