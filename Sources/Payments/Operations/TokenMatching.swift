public import ApplePay
internal import JSON

/// How strictly a merchant's Apple Pay tokens must match its orders: the sixth of Apple's seven steps, which leaves to the
/// merchant what its payment requests say.
public struct TokenMatching: Equatable, Sendable {
    /// What of the token's total must be the order's.
    public enum Total: String, CaseIterable, Sendable {
        /// Currency and amount.
        case exact
        /// Only the currency.
        case currency
        /// Nothing.
        case none
    }

    /// Of what the token's `applicationData` must be the SHA-256.
    public enum ApplicationData: Equatable, Sendable {
        /// Of anything; it may also be absent.
        case any
        /// Of nothing: it must be absent.
        case none
        /// The order's identifier, in UTF-8.
        case orderID
        /// `order.reference` of the request, in UTF-8.
        case orderReference
        /// Whatever has the hash that a header field of the request gives.
        case header(name: String)
    }

    /// What of the token's total must be the order's.
    public let total: Total
    /// Of what the token's application data must be the hash.
    public let applicationData: ApplicationData
    /// Whose part of a payment for several the order is.
    public let payee: Payee

    /// A way to match; without anything said, by amount and currency.
    public init(total: Total = .exact, applicationData: ApplicationData = .any, payee: Payee = .whole) {
        self.total = total
        self.applicationData = applicationData
        self.payee = payee
    }

    /// What a token that comes with `command` must have been made for.
    ///
    /// A command without an amount, as VERIFY is, leaves the token's amount uncompared.
    func details(of command: Command) throws(Refusal) -> TransactionDetails {
        TransactionDetails(
            total: total(of: command), applicationData: try policy(for: command.instruction), payee: payee)
    }

    private func total(of command: Command) -> TransactionDetails.Total? {
        guard total != .none, let currency = command.currency else { return nil }
        return TransactionDetails.Total(
            currencyCode: currency.numericCode,
            amountMinorUnits: total == .exact ? command.amount?.minorUnits : nil)
    }

    private func policy(for instruction: Instruction) throws(Refusal) -> ApplicationDataPolicy {
        switch applicationData {
        case .any: return .notCompared
        case .none: return .absent
        case .orderID: return .bytes(Array(instruction.order.text.utf8))
        case .orderReference:
            guard case .string(let reference)? = instruction.particulars["order"]?["reference"] else {
                throw .orderReferenceMissing
            }
            return .bytes(Array(reference.utf8))
        case .header(let name):
            guard let hash = instruction.applicationDataHash else { throw .applicationDataHashMissing(header: name) }
            return .hash(hash)
        }
    }
}
