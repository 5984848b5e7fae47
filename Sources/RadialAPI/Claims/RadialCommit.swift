internal import Payments
internal import Values
internal import Vault

/// The items that a request of Radial's API commits along with the payment: its claim, and the account token of the
/// presented card.
struct RadialCommit: CommitExtension {
    let claim: HeldClaim
    let accountTokens: AccountTokens
    let merchant: MerchantID

    func items(with card: Card?) async throws(StoreFailure) -> ExtensionItems {
        guard let card else { return ExtensionItems([claim.item]) }
        let (token, item) = try await accountTokens.held(for: card.accountNumber, of: merchant)
        return ExtensionItems([claim.item, item], accountToken: token)
    }

    func renewed() async throws(StoreFailure) -> (any CommitExtension)? {
        try await claim.renewed().map { RadialCommit(claim: $0, accountTokens: accountTokens, merchant: merchant) }
    }

    func failure(ofFull group: [UInt8]) -> StoreFailure { claim.failure(ofFull: group) ?? accountTokens.fullFailure }
}
