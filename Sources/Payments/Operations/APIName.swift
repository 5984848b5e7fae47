/// The name of one of the APIs over the ledger. Each API but the first declares its own.
public struct APIName: Hashable, Sendable {
    private let name: String

    /// A name.
    public init(_ name: StaticString) { self.name = "\(name)" }

    /// The name of Mastercard Gateway's API, the default of an instruction.
    public static let mastercard = APIName("mastercard")
}
