import ApplePay
import HTTP
import HTTPTypes
import JSON
import MerchantAPI
import Payments
import TestSupport
import Values

extension RefusalBench {
    /// Puts the orders, sessions and tokens into two stores that requests are tried on.
    struct Seed {
        let names: Names
        let twin: Transaction

        /// The orders, by their names, each with the transactions that lead to it.
        private static let orders: [(order: String, transactions: [(name: String, content: JSONValue)])] = [
            ("failed", [("a", pay("AUTHORIZE", year: "39", month: "05"))]),
            ("authorized", [("a", pay("AUTHORIZE"))]),
            ("captured", [("a", pay("AUTHORIZE")), ("c", later("CAPTURE", "10.00"))]),
            (
                "capturedTwice",
                [("a", pay("AUTHORIZE")), ("c", later("CAPTURE", "10.00")), ("d", later("CAPTURE", "10.00"))]
            ),
            ("paid", [("a", pay("PAY"))]),
            ("refunded", [("a", pay("PAY")), ("r", later("REFUND", "5.00"))]),
        ]

        private static func pay(_ operation: String, year: String = "39", month: String = "01") -> JSONValue {
            [
                "apiOperation": .string(operation), "order": ["amount": "30.00", "currency": "USD"],
                "sourceOfFunds": [
                    "provided": [
                        "card": [
                            "number": "5123450000000008", "expiry": ["month": .string(month), "year": .string(year)],
                        ]
                    ], "type": "CARD",
                ],
            ]
        }

        private static func later(_ operation: String, _ amount: String) -> JSONValue {
            ["apiOperation": .string(operation), "transaction": ["amount": .string(amount), "currency": "USD"]]
        }

        init(
            _ opener: TokenOpener, _ store: InMemoryStore, _ sealedStore: InMemoryStore, token: String
        ) async throws {
            let merchant = Merchant(
                id: try MerchantID("M"), passwords: [APIPassword(digesting: SecretText("random"))], applePay: opener)
            let gate = try Gate([merchant], store: store, sealedStore: sealedStore, at: LocalMerchant.instant)
            func send(_ method: HTTPMethod, _ path: String, _ content: JSONValue) async throws -> Response {
                let question = Gate.Question(
                    method: method == .post ? .post : .put, path: path, body: content.serialized())
                let response = try await gate.ask(question)
                guard (200...201).contains(response.status) else { throw Refused(text: "\(path): \(response.text)") }
                return response
            }
            for (order, transactions) in Self.orders {
                for (name, content) in transactions {
                    _ = try await send(.put, "/order/\(order)/transaction/\(name)", content)
                }
            }
            let paid = try Example.token(.string(token), ["order.amount": "56.56"])
            _ = try await send(.put, "/order/spent/transaction/1", paid)

            var names = Names()
            func session() async throws -> String {
                try await send(.post, "/session", ["session": ["authenticationLimit": 9999]]).string("session.id") ?? ""
            }
            (names.session, names.emptySession, names.unfitSession) = (
                try await session(), try await session(), try await session()
            )
            let source = Self.pay("PAY").at("sourceOfFunds") ?? .null
            _ = try await send(.put, "/session/\(names.session)", ["sourceOfFunds": source])
            _ = try await send(
                .put, "/session/\(names.unfitSession)", ["order": ["itemAmount": "1.234"], "sourceOfFunds": source])
            names.cardToken = try await send(.post, "/token", ["sourceOfFunds": source]).string("token") ?? ""
            self.names = names
            let key = OrderKey(merchant: merchant.id, order: try OrderID("paid"))
            let recalled = try await store.recall(TransactionID("a"), of: key)
            guard let twin = recalled.transaction?.transaction else { throw Refused(text: "no twin") }
            self.twin = twin
        }

        private enum HTTPMethod { case post, put }

        /// A request that must succeed did not.
        struct Refused: Error {
            let text: String
        }
    }
}
