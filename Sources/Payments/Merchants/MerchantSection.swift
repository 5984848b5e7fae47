/// What one API alone knows of a merchant. Payments keeps it with the merchant and finds the merchant by its name.
public protocol MerchantSection: Sendable {
    /// The API's own name for the merchant. Only one section of a type has it.
    var name: String { get }
}

/// A section's name among those of all types.
struct MerchantSectionName: Hashable {
    private let type: ObjectIdentifier
    private let name: String

    init(_ type: any MerchantSection.Type, _ name: String) {
        self.type = ObjectIdentifier(type)
        self.name = name
    }

    init(_ section: any MerchantSection) { self.init(Swift.type(of: section), section.name) }
}
