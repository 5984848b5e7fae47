internal import MerchantAPI

/// What requests are counted by: the operation, or what is known of a request that asked for none. There are few, and no
/// peer can make more.
enum RequestSeries: Equatable {
    /// An operation, which has one route.
    case operation(RequestOperation)
    /// A route of the merchants' API, where no operation of it was understood.
    case route(RouteTemplate)
    /// The control API.
    case control
    /// No path of any API.
    case unknown

    /// How many there are.
    static let count = operationCount + RouteTemplate.allCases.count + 2
    private static let operationCount = RequestOperation.allCases.count

    /// All of them, each at its ``position``.
    static let all =
        RequestOperation.allCases.map(RequestSeries.operation) + RouteTemplate.allCases.map(RequestSeries.route)
        + [.control, .unknown]

    /// A number from 0 on.
    var position: Int {
        switch self {
        case .operation(let operation): operation.rawValue
        case .route(let route): Self.operationCount + route.rawValue
        case .control: Self.count - 2
        case .unknown: Self.count - 1
        }
    }

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
}
