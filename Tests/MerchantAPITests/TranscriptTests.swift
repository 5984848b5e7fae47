import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing

/// What the real gateway answered is what is answered here, but for what is listed with its reason.
@Suite(.enabled(if: Transcript.areAvailable, "TOLLGATE_VECTORS names no folder with transcripts beside it"))
struct TranscriptTests {
    /// How a transcript is driven, and what cannot match.
    private struct Expectation {
        /// What stands in it for what has another name or value here.
        var substitutions: [(recorded: String, ours: String)] = []
        /// The latest version at the time of the recording.
        var latestVersion = 100
        /// Whether the credentials that are sent are wrong.
        var hasWrongPassword = false
        /// What the recorded order amount comes to.
        var declinedAmount: String?
        /// A request that must precede the first and was not recorded; the method is PUT.
        var preceding: (path: String, body: String)?
        /// The contents of the requests, where they were not recorded.
        var body: String?
        /// How replies differ, whichever of them, and why.
        var differences: [Replay.Difference: String] = [:]
    }

    private static let order = "/api/rest/version/22/merchant/TESTMERCHANT/order/"

    private static let expectations: [String: Expectation] = [
        "authorize_apple_pay_v71": Expectation(
            differences: [
                .init(kind: .extra, path: "posTerminal"): "the page names the default; that it is shown is our choice",
                .init(kind: .value, path: "sourceOfFunds.provided.card.number"):
                    "the page says \"usually 0.4 masked\", and its sample is masked whole",
            ]),
        "bad_path": Expectation(substitutions: [("{m}", "TESTMERCHANT"), ("{id}", "1")]),
        "check_gateway": Expectation(),
        "declined_authorize": Expectation(
            substitutions: [
                ("TESTSPREEDLY01", "TESTMERCHANT"), ("{orderId}", "1a0abf5e-3d1f-4c1b-bd0f-94a64aa9304c"),
                ("{transactionId}", "1"),
            ],
            declinedAmount: "1", body: ClientRequests.activeMerchant22("AUTHORIZE", number: "4000300011112220"),
            differences: [
                .init(kind: .extra, path: "response.acquirerCode"): "that acquirer gave none with a decline",
                .init(kind: .extra, path: "response.acquirerMessage"): "that acquirer gave none with a decline",
            ]),
        "refund_after_purchase": Expectation(
            substitutions: stGeorge.substitutions, differences: stGeorge.differences),
        "retrieve_order": Expectation(substitutions: stGeorge.substitutions, differences: stGeorge.differences),
        "token_lifecycle": Expectation(
            substitutions: [("<TNS_MERCHANT_ID>", "TESTMERCHANT")],
            differences: [
                issuer.difference: issuer.reason,
                .init(kind: .value, path: "repositoryId"): "the repository is the merchant's own here",
                .init(kind: .value, path: "transaction.source"): "that merchant's profile says MOTO",
            ]),
        "unsupported_version": Expectation(latestVersion: 79),
        "void_authorization": Expectation(
            substitutions: [
                ("TESTSPREEDLY01", "TESTMERCHANT"), ("{orderId}", "fb1125bd-b169-48a2-878d-18831639ec08"),
                ("{transactionId}", "e648c580-9edf-4baa-b05e-5eeadab3f86e"),
            ],
            preceding: (
                order + "fb1125bd-b169-48a2-878d-18831639ec08/transaction/1",
                ClientRequests.activeMerchant22("AUTHORIZE", number: "5123456789012346")
            ),
            body: ClientRequests.activeMerchantVoid,
            differences: [.init(kind: .value, path: "response.acquirerCode"): "that acquirer says 000"]),
        "wrong_password": Expectation(substitutions: [("{m}", "TESTMERCHANT")], hasWrongPassword: true),
    ]

    private static let issuer = (
        difference: Replay.Difference(kind: .missing, path: "sourceOfFunds.provided.card.issuer"),
        reason: "the issuers' names are in a table that is not public"
    )

    /// The recordings of everydayhero. Their paths were edited later: the replies are of version 46.
    private static let stGeorge = Expectation(
        substitutions: [("<TNS_PAY_URL:MERCHANT_ID>", "TESTMERCHANT"), ("/version/52/", "/version/46/")],
        differences: [
            issuer.difference: issuer.reason,
            .init(kind: .extra, path: "response.acquirerMessage"): "St George gives none",
        ])

    @Test func `each transcript is read`() throws {
        #expect(try Transcript.names() == Self.expectations.keys.sorted())
    }

    @Test(arguments: expectations.keys.sorted())
    func `each exchange has the recorded status, members, order of members and number text`(name: String) async throws {
        let expectation = try #require(Self.expectations[name])
        let api = try TestAPI(
            acquirer: Self.acquirer(declining: expectation.declinedAmount), latestVersion: expectation.latestVersion)
        var replay = Replay(api, substituting: expectation.substitutions)
        if let preceding = expectation.preceding {
            #expect(await api.send(.put, preceding.path, body: preceding.body).status == 201)
        }
        var found: Set<Replay.Difference> = []
        for exchange in try Transcript(name).exchanges {
            api.clock.advance(byMilliseconds: 250)
            let body = exchange.body ?? expectation.body
            let differences = try await replay.differences(
                in: exchange, body: body,
                authorization: expectation.hasWrongPassword
                    ? ["Basic bWVyY2hhbnQuVEVTVE1FUkNIQU5UOng="]
                    : [
                        TestAPI.credentials()
                    ])
            for difference in differences where expectation.differences[difference] == nil {
                Issue.record("\(name), \(exchange.method) \(exchange.path): \(difference)")
            }
            found.formUnion(differences)
        }
        // A reason that no longer applies must go.
        #expect(Set(expectation.differences.keys).subtracting(found).isEmpty)
    }

    /// The acquirer of the tests, which says of security codes what is documented, and may decline an amount.
    private static func acquirer(declining amount: String?) throws -> SimulatedAcquirer {
        var rows: [ExactDecimal: SimulatedOutcome] = [:]
        if let amount { rows[try #require(ExactDecimal(amount))] = try TestSimulator.outcome(.declined) }
        return try TestSimulator.acquirer(
            table: SimulatorTable(
                rows: rows, otherwise: try TestSimulator.outcome(.approved),
                cards: SimulatedCards(
                    securityCodes: ["102": CardSecurityCodeResult(gatewayCode: .noMatch, acquirerCode: "N")])))
    }
}
