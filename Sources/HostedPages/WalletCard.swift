internal import JSON

/// A card of the sandbox's wallet: one published test card per network.
struct WalletCard: Sendable {
    /// The network as requests name it; also the card's identifier.
    let network: String
    /// The network as tokens name it.
    let networkName: String
    let type: String
    let accountNumber: String

    /// The wallet. The numbers are among the accounts of `Config/simulator.yaml`.
    static let all = [
        WalletCard(network: "visa", networkName: "Visa", type: "credit", accountNumber: "4508750015741019"),
        WalletCard(network: "masterCard", networkName: "MasterCard", type: "credit", accountNumber: "5123450000000008"),
        WalletCard(network: "amex", networkName: "AmEx", type: "credit", accountNumber: "371881634498004"),
        WalletCard(network: "discover", networkName: "Discover", type: "credit", accountNumber: "6011003179988686"),
        WalletCard(network: "jcb", networkName: "JCB", type: "credit", accountNumber: "3528000000000007"),
        WalletCard(network: "maestro", networkName: "Maestro", type: "debit", accountNumber: "5666555544443333"),
    ]

    /// The name that the payer sees: `Visa 1019`.
    var displayName: String { "\(networkName) \(accountNumber.suffix(4))" }

    /// The card in the answer to a redeemed session.
    var json: JSONValue {
        [
            "displayName": .string(displayName), "id": .string(network), "network": .string(network),
            "type": .string(type),
        ]
    }

    /// `paymentMethod` of a token.
    var paymentMethod: JSONValue {
        ["displayName": .string(displayName), "network": .string(networkName), "type": .string(type)]
    }
}
