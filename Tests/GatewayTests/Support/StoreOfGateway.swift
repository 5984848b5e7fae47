import TestSupport
import Testing

/// The stores that a gateway keeps its orders in.
enum StoreOfGateway: String, CaseIterable, CustomTestStringConvertible {
    case sqlite
    case postgres

    var testDescription: String { rawValue }

    /// The options for a gateway that uses it, empty; another gateway with the same options continues with what the first one
    /// left.
    func environment() throws -> [String: String] {
        switch self {
        case .sqlite: [:]
        case .postgres: ["TOLLGATE_STORE_URL": try PostgresServer.shared().url()]
        }
    }
}
