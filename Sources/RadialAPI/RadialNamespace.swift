/// Radial's XML namespace.
enum RadialNamespace {
    /// The namespace of requests, replies, faults and events.
    static let checkout = "http://api.gsicommerce.com/schema/checkout/1.0"
}
