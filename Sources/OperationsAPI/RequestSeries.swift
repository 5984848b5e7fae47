internal import Access

/// The label set under which a request is counted: its operation, or what is known about a request without one. There
/// are few, and no peer can make more.
enum RequestSeries: Hashable {
    /// An operation, which has one route.
    case operation(RequestOperation)
    /// A route, where no operation of it was understood.
    case route(RouteTemplate)
    /// The control API.
    case control
    /// No path of any API.
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

    /// What paths of the control API begin with.
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

    /// All series of APIs with these operations, each once: the operations, then their routes, then the rest.
    static func all(of operations: [RequestOperation]) -> [RequestSeries] {
        var known: Set<RequestSeries> = []
        return (operations.map(Self.operation) + operations.map { .route($0.route) } + [.control, .unknown])
            .filter { known.insert($0).inserted }
    }
}
