extension Command {
    /// The privileges that a merchant needs for the operation, on any order.
    var neededPrivileges: [Privilege] {
        var needed: [Privilege] =
            switch self {
            case .authorize, .verify, .capture, .updateAuthorization: []
            case .refund(let refund): refund.sourceOfFunds == nil ? [.refund] : [.refund, .excessiveRefund]
            case .void: [.void]
            }
        switch sourceOfFunds {
        case .applePayToken, .openedApplePayToken: needed += [.devicePayments, .applePayDecryption]
        case .card(let card) where card.devicePayment != nil: needed.append(.devicePayments)
        case .card, nil: break
        }
        return needed
    }

    /// Refuses the operation if the merchant lacks a privilege.
    func checkPrivileges() throws(Refusal) {
        let granted = instruction.merchant.privileges
        for privilege in neededPrivileges where !granted.contains(privilege) { throw .missingPrivilege(privilege) }
    }
}
