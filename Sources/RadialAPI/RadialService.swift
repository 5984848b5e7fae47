public import Access

/// One service of the API: its path, its request, and the function that answers it. Each service is declared next to its
/// implementation.
struct RadialService: Sendable {
    /// Whether the service's path ends with a tender type.
    enum Tender {
        case none, optional, required
    }

    /// The name of the service's messages, without `Request` and `Reply`.
    let name: String
    /// The name in logs and metrics, with the template of the path.
    let operation: RequestOperation
    /// The path below `payments`, without the tender type and the suffix `.xml`.
    let segments: [String]
    let tender: Tender
    /// Whether the path may lack the suffix.
    var isSuffixOptional = false
    /// Whether a given API instance offers the service.
    var isServed: @Sendable (RadialAPI) -> Bool = { _ in true }
    /// Answers a request with the XML of the reply.
    let answer: @Sendable (RadialAPI, Call) async throws(Fault) -> [UInt8]

    /// A service.
    ///
    /// - Parameter path: the path below `payments`, without the tender type and the suffix: `auth/cancel`.
    init(
        _ name: String, at path: String, tender: Tender = .none,
        answer: @escaping @Sendable (RadialAPI, Call) async throws(Fault) -> [UInt8]
    ) {
        let template = tender == .required ? path + "/{tender}.xml" : path + ".xml"
        operation = RequestOperation(name, at: RouteTemplate("/v{version}/stores/{storeId}/payments/" + template))
        segments = path.split(separator: "/").map(String.init)
        self.tender = tender
        self.name = name
        self.answer = answer
    }

    /// The root element of the request.
    var requestName: String { name + "Request" }

    /// Returns the tender type in the path segments below `payments`, without the suffix; empty if the path has none. Nil
    /// if the path is not the service's.
    func tender(in names: [String]) -> String? {
        guard names.starts(with: segments) else { return nil }
        switch (tender, names.count - segments.count) {
        case (.none, 0), (.optional, 0): return ""
        case (.optional, 1), (.required, 1): return names[segments.count]
        default: return nil
        }
    }
}

extension RadialService {
    /// All services.
    static let all = [
        creditCardAuth, authCancel, settlement, confirmFunds, protectPan, tenderTypeLookup, decryptBlob,
    ]
}

extension RadialAPI {
    /// All services, for logs and metrics.
    public static let operations = RadialService.all.map(\.operation)
}
