import TestSupport
import Testing

/// The stores that a gateway keeps its orders in.
enum StoreOfGateway: String, CaseIterable, CustomTestStringConvertible {
    case sqlite
    case postgres

    var testDescription: String { rawValue }

    /// What tells a gateway to use it, empty; whoever starts another gateway with the same goes on with what the first one
    /// left.
    func environment() throws -> [String: String] {
        switch self {
        case .sqlite: [:]
        case .postgres: ["TOLLGATE_STORE_URL": try PostgresServer.shared().url()]
        }
    }
}
