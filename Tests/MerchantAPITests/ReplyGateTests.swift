import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing

/// Which members replies have in which versions of the API.
struct ReplyGateTests {
    /// A member with the versions next to its gates: those that have it, and those that don't.
    static let gates: [(path: String, with: [Int], without: [Int])] = [
        ("response.risk", [1, 22, 29], [30, 71]),
        ("risk.response", [30, 46, 100], [1, 29]),
        ("order.chargeback", [46, 100], [45]),
        ("order.merchantCategoryCode", [49], [48]),
        ("sourceOfFunds.provided.card.storedOnFile", [49], [48]),
        ("authorizationResponse", [49], [48]),
        ("transaction.acquirer.date", [49], [48]),
        ("transaction.acquirer.transactionId", [49], [48]),
        ("transaction.acquirer.settlementDate", [49], [48]),
        ("transaction.frequency", [1, 51], [52]),
        ("order.merchantAmount", [56], [55]),
        ("order.merchantCurrency", [56], [55]),
        ("order.authenticationStatus", [56], [55]),
        ("transaction.authenticationStatus", [56], [55]),
        ("order.lastUpdatedTime", [57], [56]),
        ("order.certainty", [57], [56]),
        ("timeOfLastUpdate", [57], [56]),
        ("transaction.stan", [57], [56]),
        ("order.totalDisbursedAmount", [71], [70]),
        ("response.gatewayRecommendation", [71], [70]),
        ("authorizationResponse.date", [71], [70]),
        ("gatewayEntryPoint", [1, 100], []),
        ("transaction.receipt", [1, 100], []),
    ]

    @Test(arguments: gates.indices)
    func `a member is there from its version on, or until it`(row: Int) async throws {
        let row = Self.gates[row]
        for version in row.with + row.without {
            let path = TestAPI.path.replacing("/version/71/", with: "/version/\(version)/")
            let response = await (try TestAPI()).put(try Example.plain(), path)
            #expect(response.status == 201)
            #expect((response.value?.at(row.path) != nil) == row.with.contains(version), "version \(version)")
        }
    }

    @Test func `an order's reply has the gates of its members`() async throws {
        let api = try TestAPI()
        #expect(await api.put(try Example.plain()).status == 201)
        func order(_ version: Int) async -> Response {
            await api.send(.get, "/api/rest/version/\(version)/merchant/TESTMERCHANT/order/844205983")
        }
        let old = await order(22)
        for name in ["chargeback", "lastUpdatedTime", "merchantAmount", "totalDisbursedAmount", "risk"] {
            #expect(old.value?.at(name) == nil)
            #expect(await order(71).value?.at(name) != nil)
        }
        guard case .array(let transactions)? = old.value?["transaction"] else {
            Issue.record("an order has transactions")
            return
        }
        #expect(transactions.first?.at("order.chargeback") == nil)
        #expect(transactions.first?.at("transaction.frequency") == "SINGLE")
    }

    @Test func `a version is the request's, so a transaction shows what that version has`() async throws {
        let api = try TestAPI()
        _ = await api.put(try Example.plain(["transaction.frequency": "RECURRING"]))
        let path = TestAPI.path.replacing("/version/71/", with: "/version/51/")
        #expect(await api.send(.get, path).string("transaction.frequency") == "RECURRING")
        #expect(await api.send(.get).value?.at("transaction.frequency") == nil)
    }

    /// What is done, with which versions show an authorization code.
    static let codes: [(operation: String, with: [Int], without: [Int])] = [
        ("REFUND", [30, 46, 70], [22, 71, 100]), ("VOID", [30, 57, 100], [22]), ("PAY", [1, 100], []),
    ]

    @Test(arguments: codes.indices)
    func `the authorization code of later transactions depends on the version`(row: Int) async throws {
        let row = Self.codes[row]
        let api = try TestAPI()
        _ = await api.put(try Example.plain(["apiOperation": "PAY"]))
        switch row.operation {
        case "REFUND":
            _ = await api.put(
                ["apiOperation": "REFUND", "transaction": ["amount": "30.10", "currency": "USD"]], TestAPI.path + "-2")
        case "VOID":
            _ = await api.put(
                ["apiOperation": "VOID", "transaction": ["targetTransactionId": "950596203"]], TestAPI.path + "-2")
        default: break
        }
        for version in row.with + row.without {
            let path = TestAPI.path.replacing("/version/71/", with: "/version/\(version)/")
            let response = await api.send(.get, row.operation == "PAY" ? path : path + "-2")
            #expect(response.status == 200)
            #expect(
                (response.value?.at("transaction.authorizationCode") != nil) == row.with.contains(version),
                "version \(version)")
        }
    }

    @Test func `a card in clear is assessed by the gateway's rules, with what the issuer makes of its code`()
        async throws
    {
        let acquirer = try TestSimulator.acquirer(
            table: SimulatorTable(
                rows: [:], otherwise: try TestSimulator.outcome(.approved),
                cards: SimulatedCards(
                    securityCodes: ["100": CardSecurityCodeResult(gatewayCode: .match, acquirerCode: "M")])))
        let response = await (try TestAPI(acquirer: acquirer)).put(try Example.plain())
        guard case .array(let rules)? = response.value?.at("risk.response.rule") else {
            Issue.record("an assessment has rules")
            return
        }
        #expect(
            rules.map { $0.at("name")?.string } == [
                "MERCHANT_BIN_RANGE", "MERCHANT_CSC", "SUSPECT_CARD_LIST", "TRUSTED_CARD_LIST", "MSO_BIN_RANGE",
                "MSO_CSC",
            ])
        #expect(
            rules.map { $0.at("data")?.string } == ["512345", "M", nil, nil, "512345", "M"])
        #expect(response.value?.at("response.cardSecurityCode") == ["acquirerCode": "M", "gatewayCode": "MATCH"])
        #expect(response.string("authorizationResponse.cardSecurityCodeError") == "M")
        #expect(response.string("transaction.acquirer.settlementDate") == "2023-03-14")
        #expect(response.string("transaction.acquirer.timeZone") == "+0000")
        // The documented wallet payment has none of these.
        let wallet = await (try TestAPI(acquirer: acquirer)).put(try Example.changed())
        for path in ["risk", "response.cardSecurityCode", "transaction.acquirer.settlementDate"] {
            #expect(wallet.value?.at(path) == nil)
        }
    }

    @Test func `the name on a card is repeated, and no account number in it`() async throws {
        let path = "sourceOfFunds.provided.card.nameOnCard"
        let named = await (try TestAPI()).put(try Example.plain([path: "Ada L"]))
        #expect(named.string(path) == "Ada L")
        let number = await (try TestAPI()).put(try Example.plain([path: "4508750015741019"]))
        #expect(number.status == 201 && !number.text.contains("4508750015741019"))
    }
}
