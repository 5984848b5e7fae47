/// A merchant's settings for a single API. Payments stores them with the merchant and can find the merchant by the
/// section's name.
public protocol MerchantSection: Sendable {
    /// The API's own name for the merchant, unique among the sections of one type.
    var name: String { get }
}

/// A section's name together with the section's type.
struct MerchantSectionName: Hashable {
    private let type: ObjectIdentifier
    private let name: String

    init(_ type: any MerchantSection.Type, _ name: String) {
        self.type = ObjectIdentifier(type)
        self.name = name
    }

    init(_ section: any MerchantSection) { self.init(Swift.type(of: section), section.name) }
}
