internal import Values
public import Vault

extension SealingPurpose {
    /// The names on the cards of an order's payments.
    public static let nameOnCard = SealingPurpose("name on card")
}

extension KeyRing {
    /// Seals the plaintext name on a card for an order.
    func seal(nameOnCard name: SecretText, of order: OrderKey) -> [UInt8] {
        seal(name.withUTF8 { SecretBytes(copying: $0) }, for: SealedOwner(.nameOnCard, order))
    }

    /// Opens the name on a card of an order.
    func nameOnCard(_ sealed: [UInt8], of order: OrderKey) throws(SealingFault) -> SecretText {
        // Sealing is authenticated and only names are sealed, so the plaintext is valid UTF-8.
        try open(sealed, of: SealedOwner(.nameOnCard, order)).withUnsafeBytes { SecretText(utf8: $0) }
    }
}
