import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing

@testable import MerchantAPI

/// Contents that nobody wrote, for everything that takes one. Each is answered, and never by a failure of the gateway.
struct RandomBodyTests {
    /// What a content is sent for.
    enum Target: String, CaseIterable {
        case authorize, capture, createSession, createToken, inquirePaymentOptions, pay, refund, replaceToken
        case updateAuthorization, updateSession, verify, void

        fileprivate var table: RequestFields {
            switch self {
            case .authorize: PaymentFields.of(.authorize)
            case .capture: PaymentFields.of(.capture)
            case .createSession: SessionCreation.fields
            case .createToken, .replaceToken: Tokenization.table
            case .inquirePaymentOptions, .updateSession: PaymentFields.session
            case .pay: PaymentFields.of(.pay)
            case .refund: PaymentFields.of(.refund)
            case .updateAuthorization: PaymentFields.of(.updateAuthorization)
            case .verify: PaymentFields.of(.verify)
            case .void: PaymentFields.of(.void)
            }
        }

        /// A content that is carried out.
        fileprivate func content() throws -> JSONValue {
            switch self {
            case .authorize: try Example.changed()
            case .pay: try Example.plain(["apiOperation": "PAY"])
            case .verify: try Example.plain(["apiOperation": "VERIFY", "order.amount": .none])
            case .capture, .refund, .updateAuthorization:
                [
                    "apiOperation": .string(
                        self == .updateAuthorization ? "UPDATE_AUTHORIZATION" : rawValue.uppercased()),
                    "transaction": ["amount": "1.00", "currency": "USD"],
                ]
            case .void: ["apiOperation": "VOID", "transaction": ["targetTransactionId": "1"]]
            case .createSession: ["session": ["authenticationLimit": 5]]
            case .createToken, .replaceToken: TestAPI.source(TestAPI.card)
            case .inquirePaymentOptions: ["order": ["currency": "EUR"]]
            case .updateSession: try Example.plain(["apiOperation": .none])
            }
        }
    }

    /// Hundreds of contents each, and thousands in all.
    @Test(.timeLimit(.minutes(30)), arguments: Target.allCases, [1, 2] as [UInt64])
    func `a content that nobody wrote is carried out or refused`(target: Target, seed: UInt64) async throws {
        let api = try TestAPI()
        var random = RandomJSON(seed: seed, paths: target.table.paths())
        let session = try await api.createSession()
        let token = try await api.token()
        let content = try target.content()
        for count in 0..<150 {
            let bytes =
                count % 3 == 0 ? random.altered(content.serialized()) : random.altered(content).serialized()
            let order = try await order(for: target, count, api)
            let path =
                switch target {
                case .createSession: "/session"
                case .updateSession: "/session/" + session
                case .createToken: "/token"
                case .replaceToken: "/token/" + token
                case .inquirePaymentOptions: "/paymentOptionsInquiry"
                case .authorize, .capture, .pay, .refund, .updateAuthorization, .verify, .void:
                    "/order/\(order)/transaction/2"
                }
            let method: HTTPRequest.Method =
                [.createSession, .createToken, .inquirePaymentOptions].contains(target) ? .post : .put
            let response = await api.send(method, TestAPI.base + path, bytes: bytes)
            let text = "\(target) \(seed) \(count): \(String(decoding: bytes, as: UTF8.self))"
            #expect([200, 201, 400].contains(response.status), "\(text)")
            let value = try #require(response.value, "\(text)")
            #expect(value.serialized() == response.body, "\(text)")
            #expect((response.string("result") == "ERROR") == (response.status == 400), "\(text)")
            guard path.hasPrefix("/order/"), response.status == 201 else { continue }
            // Whatever was carried out is carried out once, and can be read.
            #expect(await api.send(method, TestAPI.base + path, bytes: bytes) == response, "\(text)")
            #expect(await api.send(.get, TestAPI.base + path).status == 200, "\(text)")
            #expect(await api.send(.get, "\(TestAPI.base)/order/\(order)").status == 200, "\(text)")
        }
    }

    /// An order in which the operation can be carried out.
    private func order(for target: Target, _ count: Int, _ api: TestAPI) async throws -> String {
        let order = "\(target)-\(count)"
        let first: String? =
            switch target {
            case .capture, .updateAuthorization, .void: "AUTHORIZE"
            case .refund: "PAY"
            default: nil
            }
        if let first {
            let request = try Example.plain(["apiOperation": .string(first)])
            #expect(await api.put(request, "\(TestAPI.base)/order/\(order)/transaction/1").status == 201)
        }
        return order
    }
}

extension RequestFields {
    /// The dotted paths of all fields and groups, with names that no table has.
    fileprivate func paths(_ prefix: String = "") -> [String] {
        entries.sorted { $0.key < $1.key }.flatMap { name, entry in
            switch entry {
            case .object(let fields): [prefix + name] + fields.paths(prefix + name + ".")
            case .array, .custom, .field, .unsupported: [prefix + name]
            }
        } + [prefix + "x"]
    }
}
