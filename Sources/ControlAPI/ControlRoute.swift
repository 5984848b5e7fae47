internal import HTTP
internal import HTTPTypes
internal import Payments
internal import Values

/// The operation that a path and a method select.
enum ControlRoute: Equatable {
    case mint
    case listDefects
    case inspect
    case report(String)
    case listReports(ReportFilter)
    case listRequests(RequestFilter)
    case followEvents(after: Int?)
    case listOrders(OrderSearch)
    case showOrder(OrderKey)
    case operate(OrderKey)
    case reset
    case showClock
    case setClock
    case setSeed
    case addOutcome
    case listOutcomes
    case removeOutcomes
    case removeOutcome(String)
    case showSimulator
    case openAPI
    case sandbox
    case listMerchants
    case health

    /// The prefix of all paths.
    static let prefix = "/_tollgate/"

    /// Parses a path that begins with ``prefix``, and a method. HEAD counts as GET; the server omits the content.
    init(_ path: String, _ method: HTTPRequest.Method) throws(ControlFault) {
        let parsed: PathSegments
        do { parsed = try PathSegments(path) } catch { throw .unknownPath }
        let method = method == .head ? HTTPRequest.Method.get : method
        let query = parsed.query
        let segments = parsed.segments.dropFirst()
        if let list = try Self.list(Array(segments), query: query) {
            guard method == .get else { throw .methodNotAllowed([.get, .head]) }
            self = list
            return
        }
        let routes = try Self.routes(Array(segments))
        guard let route = routes.first(where: { $0.method == method })?.route else {
            throw .methodNotAllowed(routes.flatMap { $0.method == .get ? [.get, .head] : [$0.method] })
        }
        guard query == nil else { throw ControlFault("No query is understood here") }
        self = route
    }

    /// Whether a path is that of the sandbox's password.
    static func isSandbox(_ path: String) -> Bool { (try? PathSegments(path))?.segments.dropFirst() == ["sandbox"] }

    /// The routes that understand a query; nil for any other path.
    private static func list(_ segments: [String], query: String?) throws(ControlFault) -> ControlRoute? {
        switch segments {
        case ["reports"]: .listReports(try ReportFilter(query: query))
        case ["requests"]: .listRequests(try RequestFilter(query: query))
        case ["events"]:
            .followEvents(after: try ControlQuery(query, ["after"]).integer("after", in: 0...Int.max))
        case ["orders"]: .listOrders(try OrderSearch(query: query))
        default: nil
        }
    }

    private static func order(_ segments: [String]) throws(ControlFault) -> OrderKey {
        guard let merchant = try? MerchantID(segments[1]) else {
            throw ControlFault("The path names no merchant identifier of 1 to 40 characters")
        }
        guard let order = try? OrderID(segments[2]) else {
            throw ControlFault("The path names no order identifier of 1 to 40 characters")
        }
        return OrderKey(merchant: merchant, order: order)
    }

    private static func routes(
        _ segments: [String]
    ) throws(ControlFault) -> [(method: HTTPRequest.Method, route: ControlRoute)] {
        switch segments {
        case ["tokens"]: [(.get, .listDefects), (.post, .mint)]
        case ["inspect"]: [(.post, .inspect)]
        case ["reset"]: [(.post, .reset)]
        case ["clock"]: [(.get, .showClock), (.put, .setClock)]
        case ["seed"]: [(.put, .setSeed)]
        case ["outcomes"]: [(.get, .listOutcomes), (.post, .addOutcome), (.delete, .removeOutcomes)]
        case ["simulator"]: [(.get, .showSimulator)]
        case ["openapi.yaml"]: [(.get, .openAPI)]
        case ["sandbox"]: [(.get, .sandbox)]
        case ["merchants"]: [(.get, .listMerchants)]
        case ["health"]: [(.get, .health)]
        case let path where path.count == 2 && path[0] == "reports" && !path[1].isEmpty: [(.get, .report(path[1]))]
        case let path where path.count == 2 && path[0] == "outcomes" && !path[1].isEmpty:
            [(.delete, .removeOutcome(path[1]))]
        case let path where path.count == 3 && path[0] == "orders": [(.get, .showOrder(try order(path)))]
        case let path where path.count == 4 && path[0] == "orders" && path[3] == "operations":
            [(.post, .operate(try order(path)))]
        default: throw .unknownPath
        }
    }
}
