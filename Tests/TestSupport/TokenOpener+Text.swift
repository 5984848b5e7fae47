public import ApplePay

extension TokenOpener {
    /// Judges the JSON text of a token at a moment.
    public func open(
        text: String, at moment: Moment, expecting order: TransactionDetails? = nil
    ) -> TokenReport {
        open(bytes: Array(text.utf8), at: moment, expecting: order)
    }

    /// Judges the JSON text of a token at a moment.
    public func open(
        bytes: [UInt8], at moment: Moment, expecting order: TransactionDetails? = nil
    ) -> TokenReport {
        bytes.withUnsafeBytes { open($0, at: moment, expecting: order) }
    }
}
