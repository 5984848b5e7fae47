import JSON
import Testing

/// What the issuer makes of a card security code and an address, and who the issuer is, by the shipped simulator's file.
struct SimulatedCheckTests {
    private static let verification = "response.cardholderVerification.avs"

    /// A request with some of its members replaced.
    private static func changed(_ request: [UInt8], _ members: JSONObject) throws -> [UInt8] {
        guard case .object(var object) = try JSONValue(parsing: request) else { return request }
        for (name, value) in members { object[name] = value }
        return JSONValue.object(object).serialized()
    }

    /// A plain card's payment from a billing address.
    private static func payment(_ street: String?, _ members: JSONObject = [:]) throws -> [UInt8] {
        let address: JSONObject =
            street.map { ["billing": ["address": ["city": "Ottawa", "street": .string($0)]]] } ?? [:]
        let payment = PaymentRequest.plain("10", number: "5123450000000008")
        return try changed(try changed(payment, address), members)
    }

    @Test func `an old expiry is an unspecified failure, and every security code is judged`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let failed = try gateway.put(TransactionPath(order: "old"), PaymentRequest.plain("10", month: "01", year: "28"))
        #expect(failed["response.gatewayCode"] == "UNSPECIFIED_FAILURE")
        for (number, code) in [("4508750015741019", "123"), ("4508750015741019", "999"), ("345678901234564", "1234")] {
            let path = TransactionPath(order: "csc-\(code)")
            let reply = try gateway.put(path, PaymentRequest.plain("10", number: number, securityCode: code))
            #expect(reply["response.gatewayCode"] == "APPROVED")
            #expect(reply["response.cardSecurityCode.gatewayCode"] == "NOT_PROCESSED")
            #expect(reply["response.cardSecurityCode.acquirerCode"] == "P")
        }
    }

    @Test func `the street of the billing address decides the address verification, and nothing else`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let streets: [(street: String?, gatewayCode: String?, acquirerCode: String?)] = [
            ("Alpha St", "ADDRESS_MATCH", "A"), ("Gamma St", "NOT_VERIFIED", "G"), ("November St", "NO_MATCH", "N"),
            ("Romeo St", "SERVICE_NOT_AVAILABLE_RETRY", "R"), ("Sierra St", "SERVICE_NOT_SUPPORTED", "S"),
            ("Uniform St", "NOT_AVAILABLE", "U"), ("Whiskey St", "ZIP_MATCH", "W"),
            ("X-ray St", "ADDRESS_ZIP_MATCH", "X"), ("Kilo St", "NAME_MATCH", "K"),
            ("Oscar St", "NAME_ADDRESS_MATCH", "O"), ("Lima St", "NAME_ZIP_MATCH", "L"),
            ("Zero St", "NOT_REQUESTED", "0"), ("456 My Street", nil, nil), (nil, nil, nil),
        ]
        for (index, row) in streets.enumerated() {
            let path = TransactionPath(order: "avs-\(index)")
            let request = try Self.payment(row.street)
            for reply in [try gateway.put(path, request), try gateway.get(path)] {
                #expect(reply["response.gatewayCode"] == "APPROVED")
                #expect(reply[Self.verification + ".gatewayCode"] == row.gatewayCode, "\(row.street ?? "no street")")
                #expect(reply[Self.verification + ".acquirerCode"] == row.acquirerCode)
            }
        }
        let void = #"{"apiOperation":"VOID","transaction":{"targetTransactionId":"1"}}"#
        let voided = try gateway.put(TransactionPath(order: "avs-0", transaction: "2"), Array(void.utf8))
        #expect(voided[Self.verification + ".gatewayCode"] == "ADDRESS_MATCH")
        let verification = try Self.payment("Alpha St", ["apiOperation": "VERIFY", "order": ["currency": "USD"]])
        let verified = try gateway.put(TransactionPath(order: "verified"), verification)
        #expect(verified[Self.verification + ".gatewayCode"] == "ADDRESS_MATCH")
    }

    @Test func `a device's payment has the address verification of its billing address`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let billing: JSONObject = ["billing": ["address": ["street": "November St"]]]
        let reply = try gateway.put(TransactionPath(), try Self.changed(try folder.mintRequest(), billing))
        #expect(reply["response.gatewayCode"] == "APPROVED")
        #expect(reply[Self.verification + ".gatewayCode"] == "NO_MATCH")
        // The documented reply to a device's payment has no issuer.
        #expect(reply["sourceOfFunds.provided.card.issuer"] == nil)
    }

    @Test func `a plain card's issuer follows from its number`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        var issuers: Set<String> = []
        for number in ["5123450000000008", "4508750015741019", "2223000000000007"] {
            let path = TransactionPath(order: number.suffix(4) + "")
            let reply = try gateway.put(path, PaymentRequest.plain("10", number: number))
            let issuer = try #require(reply["sourceOfFunds.provided.card.issuer"])
            #expect(try gateway.get(path)["sourceOfFunds.provided.card.issuer"] == issuer)
            issuers.insert(issuer)
        }
        #expect(issuers.count == 3)
        let other = try gateway.put(
            TransactionPath(order: "other"), PaymentRequest.plain("10", number: "4111111111111111"))
        #expect(other["response.gatewayCode"] == "APPROVED")
        #expect(other["sourceOfFunds.provided.card.issuer"] == nil)
    }
}
