internal import HTTP
internal import HTTPTypes

/// The operation that a path and a method select.
enum ControlRoute: Equatable {
    case mint
    case listDefects
    case inspect
    case report(String)
    case listReports(ReportFilter)
    case listRequests(RequestFilter)
    case reset
    case showClock
    case setClock
    case setSeed
    case addOutcome
    case listOutcomes
    case removeOutcomes
    case removeOutcome(String)
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
        guard segments != ["reports"] else {
            guard method == .get else { throw .methodNotAllowed([.get, .head]) }
            self = .listReports(try ReportFilter(query: query))
            return
        }
        guard segments != ["requests"] else {
            guard method == .get else { throw .methodNotAllowed([.get, .head]) }
            self = .listRequests(try RequestFilter(query: query))
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
        case ["openapi.yaml"]: [(.get, .openAPI)]
        case ["sandbox"]: [(.get, .sandbox)]
        case ["merchants"]: [(.get, .listMerchants)]
        case ["health"]: [(.get, .health)]
        default:
            if segments.count == 2, segments[0] == "reports", !segments[1].isEmpty {
                [(.get, .report(segments[1]))]
            } else if segments.count == 2, segments[0] == "outcomes", !segments[1].isEmpty {
                [(.delete, .removeOutcome(segments[1]))]
            } else {
                throw .unknownPath
            }
        }
    }
}

/// A filter for the request log.
struct RequestFilter: Equatable {
    var merchant: String?
    var order: String?
    var limit = RequestLog.countMax

    /// Parses a query `merchant=…&order=…&limit=…`, in which each parameter is optional.
    init(query: String?) throws(ControlFault) {
        for part in (query ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { throw ControlFault("The query is merchant=…&order=…&limit=…") }
            let value: String
            do { value = try PathSegments.decode(pair[1].utf8) } catch {
                let reason =
                    switch error {
                    case .controlCharacter: "It holds a control character, which no identifier has"
                    case .notUTF8: "It is not UTF-8"
                    default: "The percent-encoding is broken"
                    }
                throw ControlFault(field: String(pair[0]), reason)
            }
            switch pair[0] {
            case "merchant" where merchant == nil: merchant = value
            case "order" where order == nil: order = value
            case "limit":
                guard let count = Int(value), (1...RequestLog.countMax).contains(count) else {
                    throw ControlFault(field: "limit", "Expected 1 to \(RequestLog.countMax)")
                }
                limit = count
            default: throw ControlFault("The query is merchant=…&order=…&limit=…, each once")
            }
        }
    }
}
