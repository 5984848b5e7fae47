public import ApplePay
internal import JSON

/// The rules by which a merchant's Apple Pay tokens must match its orders: the sixth of Apple's seven verification
/// steps, which depends on the merchant's payment requests.
public struct TokenMatching: Equatable, Sendable {
    /// The part of the token's total that must equal the order's.
    public enum Total: String, CaseIterable, Sendable {
        /// Currency and amount.
        case exact
        /// Only the currency.
        case currency
        /// Nothing.
        case none
    }

    /// The value whose SHA-256 hash the token's `applicationData` must be.
    public enum ApplicationData: Equatable, Sendable {
        /// Any value; the application data may also be absent.
        case any
        /// None: the application data must be absent.
        case none
        /// The order's identifier, in UTF-8.
        case orderID
        /// `order.reference` of the request, in UTF-8.
        case orderReference
        /// A value whose hash is in a header field of the request.
        case header(name: String)
    }

    /// The part of the token's total that must equal the order's.
    public let total: Total
    /// The value whose hash the token's application data must be.
    public let applicationData: ApplicationData
    /// The submerchant of a multi-merchant payment for which the order is.
    public let payee: Payee

    /// Creates the rules; by default, amount and currency must match.
    public init(total: Total = .exact, applicationData: ApplicationData = .any, payee: Payee = .whole) {
        self.total = total
        self.applicationData = applicationData
        self.payee = payee
    }

    /// The transaction details that a token in `command` must match.
    ///
    /// For a command without an amount, such as VERIFY, the token's amount is not compared.
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
