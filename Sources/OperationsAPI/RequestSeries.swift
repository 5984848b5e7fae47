internal import Access

/// The label set under which a request is counted: its operation, or the known facts about a request without one. The
/// number of series is small and does not depend on peers.
enum RequestSeries: Hashable {
    /// An operation, which has one route.
    case operation(RequestOperation)
    /// A route, for a request to it without a known operation.
    case route(RouteTemplate)
    /// The control API.
    case control
    /// A path of no API.
    case unknown

    /// The template of the path.
    var route: String {
        switch self {
        case .operation(let operation): operation.route.text
        case .route(let route): route.text
        case .control: Self.controlPrefix + "{resource}"
        case .unknown: "none"
        }
    }

    /// The operation's name.
    var operation: String {
        if case .operation(let operation) = self { operation.name } else { "none" }
    }

    /// The prefix of the control API's paths.
    static let controlPrefix = "/_tollgate/"

    /// The series of a request.
    init(_ facts: RequestTrace.Facts, isControl: Bool) {
        if let operation = facts.operation {
            self = .operation(operation)
        } else if let route = facts.route {
            self = .route(route)
        } else {
            self = isControl ? .control : .unknown
        }
    }

    /// All series for APIs with these operations, without duplicates: the operations, then their routes, then the others.
    static func all(of operations: [RequestOperation]) -> [RequestSeries] {
        var known: Set<RequestSeries> = []
        return (operations.map(Self.operation) + operations.map { .route($0.route) } + [.control, .unknown])
            .filter { known.insert($0).inserted }
    }
}
