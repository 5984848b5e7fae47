import HTTP
import HTTPTypes
import JSON
import TestSupport
import Testing

/// Drives the API through a transcript's exchanges, and compares what it answers with what the real gateway did.
struct Replay {
    /// How one of our replies differs from the recorded one.
    struct Difference: Hashable, CustomStringConvertible {
        enum Kind: String, Hashable {
            /// The recorded reply has the member, and ours hasn't.
            case missing
            /// Ours has it, and the recorded reply hasn't.
            case extra
            /// Both have it, with other values.
            case value
            /// The members stand in another order.
            case order
        }

        let kind: Kind
        /// The member, its indices left out.
        let path: String

        var description: String { "\(kind.rawValue) \(path)" }
    }

    /// Members whose values are never those of the recording, and why. They must be of the same kind all the same.
    static let differingValues: [String: String] = [
        "creationTime": "time", "order.creationTime": "time", "order.lastUpdatedTime": "time",
        "timeOfLastUpdate": "time", "timeOfRecord": "time", "usage.lastUpdated": "time", "usage.lastUsed": "time",
        "session.id": "identifier", "session.version": "identifier", "token": "identifier",
        "transaction.acquirer.batch": "acquirer", "transaction.acquirer.id": "acquirer",
        "transaction.acquirer.merchantId": "acquirer", "transaction.authorizationCode": "acquirer",
        "transaction.receipt": "acquirer", "transaction.terminal": "acquirer", "gatewayVersion": "the program's own",
    ]

    let api: TestAPI
    /// What stands in requests and replies of the recording for what stands in ours.
    private var substitutions: [(recorded: String, ours: String)]

    init(_ api: TestAPI, substituting substitutions: [(recorded: String, ours: String)]) {
        self.api = api
        self.substitutions = substitutions
    }

    /// The text of a recording as it is here.
    func ours(_ text: String) -> String {
        substitutions.reduce(text) { $0.replacing($1.recorded, with: $1.ours) }
    }

    /// Sends a recorded request, and tells how the reply differs from the recorded one.
    mutating func differences(
        in exchange: Transcript.Exchange, body: String?, authorization: [String] = [TestAPI.credentials()]
    ) async throws -> Set<Difference> {
        let method = try #require(HTTPRequest.Method(exchange.method))
        let response = await api.send(
            method, ours(exchange.path), body: ours(body ?? ""), authorization: authorization)
        #expect(response.status == exchange.status, "\(exchange.method) \(exchange.path): \(response.text)")
        let expected = try JSONDocument(ours(exchange.responseBody)).root
        let actual = try JSONDocument(response.text).root
        learn(expected, actual)
        var differences: Set<Difference> = []
        Self.compare(expected, actual, at: "", &differences)
        return differences
    }

    /// Records the identifiers that the gateway made.
    private mutating func learn(_ expected: JSONNode, _ actual: JSONNode) {
        for path in [["session", "id"], ["token"]] {
            let values = [expected, actual].map { node in path.reduce(Optional(node)) { $0?[$1] }?.string }
            if let recorded = values[0], let ours = values[1] { substitutions.append((recorded, ours)) }
        }
    }

    private static func compare(
        _ expected: JSONNode, _ actual: JSONNode, at path: String, _ differences: inout Set<Difference>
    ) {
        guard expected.kind == actual.kind else {
            differences.insert(Difference(kind: .value, path: path))
            return
        }
        switch expected.kind {
        case .object:
            let names = [expected, actual].map { $0.members.map(\.name) }
            func inner(_ name: String) -> String { path.isEmpty ? name : path + "." + name }
            for name in names[0] where actual[name] == nil {
                differences.insert(Difference(kind: .missing, path: inner(name)))
            }
            for name in names[1] where expected[name] == nil {
                differences.insert(Difference(kind: .extra, path: inner(name)))
            }
            let common = names.map { $0.filter { expected[$0] != nil && actual[$0] != nil } }
            if common[0] != common[1] { differences.insert(Difference(kind: .order, path: path)) }
            for name in common[0] {
                guard let one = expected[name], let other = actual[name] else { continue }
                compare(one, other, at: inner(name), &differences)
            }
        case .array:
            if expected.count != actual.count { differences.insert(Difference(kind: .value, path: path)) }
            // The transactions of an order are replies of their own.
            let inner = path == "transaction" ? "" : path + "[]"
            for (one, other) in zip(expected.elements, actual.elements) { compare(one, other, at: inner, &differences) }
        case .null, .bool, .number, .string:
            guard differingValues[path] == nil, expected.withRawBytes(Array.init) != actual.withRawBytes(Array.init)
            else { return }
            differences.insert(Difference(kind: .value, path: path))
        }
    }
}
