import HTTP
import JSON

/// One row of a table of refusals: a way to break a good request, and the refusal that answers it.
struct RefusalRow: Sendable {
    /// What the refusal says, as far as the tables do.
    struct Refusal: Equatable, Sendable {
        let status: Int
        var cause = "INVALID_REQUEST"
        var field: String?
        var validationType: String?
    }

    /// What is wrong, as the page says it. It names the row.
    let wrong: String
    let refusal: Refusal
    /// Words that the explanation has.
    let words: String
    /// What a request, its merchant or its order has one of: two rows about it never hold at once.
    let about: String?
    /// The sources of a payment that can be wrong so.
    let sources: Set<FaultyRequest.Source>
    let make: @Sendable (inout FaultyRequest) -> Void
    /// What the page says in place of the field, which is an example.
    private(set) var place: String?
    /// Whether the request is so large that it is tried beside the rows around it only.
    var isLarge = false

    init(
        _ wrong: String, _ refusal: Refusal, _ words: String, about: String? = nil,
        of sources: Set<FaultyRequest.Source> = Set(FaultyRequest.Source.allCases),
        _ make: @escaping @Sendable (inout FaultyRequest) -> Void
    ) {
        self.wrong = wrong
        self.refusal = refusal
        self.words = words
        self.about = about
        self.sources = sources
        self.make = make
    }

    /// The row, whose field is an example of others.
    func naming(_ place: String) -> RefusalRow {
        var row = self
        row.place = place
        return row
    }

    /// The page's cells.
    var cells: String {
        let status = refusal.cause == "INVALID_REQUEST" ? "\(refusal.status)" : "\(refusal.status) \(refusal.cause)"
        let field = place ?? refusal.field.map { "`\($0)`" } ?? ""
        return "\(wrong) | \(status) | \(field) | \(refusal.validationType ?? "")"
    }

    /// A field that is absent.
    static func missing(
        _ field: String, about: String? = nil,
        of sources: Set<FaultyRequest.Source> = Set(FaultyRequest.Source.allCases)
    ) -> RefusalRow {
        RefusalRow(
            "`\(field)` is absent", .missing(field), "Missing parameter", about: about ?? field, of: sources
        ) { $0.change(field, nil) }
    }

    /// A field that has another value than it may have.
    static func invalid(
        _ wrong: String, _ field: String, _ value: JSONValue, _ words: String = "is invalid", about: String? = nil,
        of sources: Set<FaultyRequest.Source> = Set(FaultyRequest.Source.allCases)
    ) -> RefusalRow {
        RefusalRow(wrong, .invalid(field), words, about: about ?? field, of: sources) { $0.change(field, value) }
    }

    /// Whether a response is this row's refusal.
    func answers(_ response: Response) -> Bool {
        let told = Refusal(
            status: response.status, cause: response.string("error.cause") ?? "",
            field: response.string("error.field"), validationType: response.string("error.validationType"))
        return told == refusal && (response.string("error.explanation") ?? "").contains(words)
    }
}

extension RefusalRow.Refusal {
    /// A refusal that concerns no field.
    static let plain = Self(status: 400)
    /// The store or the order can't be used at the moment.
    static let busy = Self(status: 503, cause: "SERVER_BUSY")

    static func missing(_ field: String) -> Self { Self(status: 400, field: field, validationType: "MISSING") }
    static func invalid(_ field: String) -> Self { Self(status: 400, field: field, validationType: "INVALID") }
    static func unsupported(_ field: String) -> Self { Self(status: 400, field: field, validationType: "UNSUPPORTED") }
}
