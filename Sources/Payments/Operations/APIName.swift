/// The name of one of the APIs over the ledger. Each API but the first declares its own.
public struct APIName: Hashable, Sendable {
    private let name: String

    /// A name.
    public init(_ name: StaticString) { self.name = "\(name)" }

    /// Mastercard Gateway's, which an instruction comes by unless it says another.
    public static let mastercard = APIName("mastercard")
}
