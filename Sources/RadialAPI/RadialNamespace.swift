/// The namespace of Radial's messages.
enum RadialNamespace {
    /// Of requests, replies, faults and events.
    static let checkout = "http://api.gsicommerce.com/schema/checkout/1.0"
}
