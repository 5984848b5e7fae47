import HTTPTypes
import JSON

/// The operations on transactions.
extension RefusalCall {
    private static let transactionPath: @Sendable (FaultyRequest, RefusalBench) -> String = { request, _ in
        "/merchant/M/order/\(request.order ?? "unset")/transaction/\(request.transaction)"
    }

    private static func transaction(
        _ name: String, operation: String? = nil, _ sources: [FaultyRequest.Source] = [.card],
        on order: @escaping @Sendable (Set<FaultyRequest.OrderFact>) -> String,
        _ content: @escaping @Sendable (FaultyRequest, RefusalBench) -> JSONValue
    ) -> RefusalCall {
        RefusalCall(
            name: name, method: .put, sources: sources,
            path: { request, bench in
                var request = request
                request.order = request.order ?? order(request.facts)
                return transactionPath(request, bench)
            },
            content: { request, bench in
                var value = content(request, bench)
                value.set(["apiOperation"], .string(operation ?? name))
                value.set(["merchantNote"], "a note")
                return value
            })
    }

    /// An order that awaits its authorization, or none.
    private static let first: @Sendable (Set<FaultyRequest.OrderFact>) -> String = { facts in
        facts.contains(.isAuthorized) ? "authorized" : facts.contains(.exists) ? "failed" : "new"
    }

    /// AUTHORIZE, PAY or VERIFY.
    static func payment(_ operation: String, _ sources: [FaultyRequest.Source] = [.card, .members, .token])
        -> RefusalCall
    {
        transaction(operation, sources, on: first) { request, bench in
            var content: JSONValue = ["order": ["currency": "USD"]]
            if operation != "VERIFY" { content.set(["order", "amount"], "30.00") }
            content.pay(request, bench)
            return content
        }
    }

    /// A REFUND under an order of its own.
    static let standaloneRefund = transaction(
        "REFUND", [.card, .members, .token], on: first
    ) { request, bench in
        var content: JSONValue = ["transaction": ["amount": "30.00", "currency": "USD"]]
        content.pay(request, bench)
        return content
    }

    /// CAPTURE or UPDATE_AUTHORIZATION.
    static func ofAuthorization(_ operation: String) -> RefusalCall {
        transaction(
            operation,
            on: { facts in
                if facts.contains(.isUnknown) { return "new" }
                return facts.contains(.isPaid) ? "paid" : facts.contains(.isCaptured) ? "captured" : "authorized"
            }
        ) { _, _ in ["transaction": ["amount": "10.00", "currency": "USD"]] }
    }

    static let refund = transaction(
        "REFUND",
        on: { facts in
            if facts.contains(.isUnknown) { return "new" }
            if facts.contains(.isRefunded) { return "refunded" }
            if facts.contains(.isCapturedTwice) { return "capturedTwice" }
            return facts.contains(.isAuthorized) ? "authorized" : facts.contains(.isCaptured) ? "captured" : "paid"
        }
    ) { _, _ in ["transaction": ["amount": "10.00", "currency": "USD"]] }

    static let void = transaction(
        "VOID",
        on: { facts in
            facts.contains(.isUnknown) ? "new" : facts.contains(.isCaptured) ? "captured" : "authorized"
        }
    ) { _, _ in ["transaction": ["targetTransactionId": "a"]] }

    static let retrieveOrder = RefusalCall(
        name: "RETRIEVE_ORDER", method: .get,
        path: { request, _ in
            "/merchant/M/order/\(request.order ?? (request.facts.contains(.isUnknown) ? "new" : "paid"))"
        }, content: { _, _ in nil })
    static let retrieveTransaction = RefusalCall(
        name: "RETRIEVE_TRANSACTION", method: .get,
        path: { request, bench in
            var request = request
            request.order = request.order ?? (request.facts.contains(.isUnknown) ? "new" : "paid")
            request.transaction = request.transaction == "1" ? "a" : request.transaction
            return transactionPath(request, bench)
        }, content: { _, _ in nil })
}

/// The other operations.
extension RefusalCall {
    private static func sessions(
        _ name: String, _ method: HTTPRequest.Method, sources: [FaultyRequest.Source] = [.card],
        isPayer: Bool = false,
        _ content: @escaping @Sendable (FaultyRequest, RefusalBench) -> JSONValue? = { _, _ in nil }
    ) -> RefusalCall {
        RefusalCall(
            name: name, method: method, sources: sources,
            path: { request, bench in "/merchant/M/session/\(bench.name(request.identifier))" }, content: content,
            isPayer: isPayer)
    }

    private static func tokens(
        _ name: String, _ method: HTTPRequest.Method, sources: [FaultyRequest.Source] = [.card],
        _ content: @escaping @Sendable (FaultyRequest, RefusalBench) -> JSONValue? = { _, _ in nil }
    ) -> RefusalCall {
        RefusalCall(
            name: name, method: method, sources: sources,
            path: { request, bench in
                let unknown = request.identifier == .unknown
                let token = request.identifier == .malformed ? bench.name(.malformed) : bench.names.cardToken
                return "/merchant/M/token/\(unknown ? "9000000000000001" : token)"
            }, content: content)
    }

    /// A card in a request that stores it.
    private static let stored: @Sendable (FaultyRequest, RefusalBench) -> JSONValue? = { request, bench in
        var content: JSONValue = [:]
        content.pay(request, bench)
        return content
    }

    static let checkGateway = RefusalCall(
        name: "CHECK_GATEWAY", method: .get, path: { _, _ in "/information" }, content: { _, _ in nil })
    static let createSession = RefusalCall(
        name: "CREATE_SESSION", method: .post, path: { _, _ in "/merchant/M/session" }, content: { _, _ in [:] })
    static let updateSession = sessions("UPDATE_SESSION", .put, sources: [.card, .token], stored)
    static let updateSessionOfPayer = sessions("UPDATE_SESSION", .put, isPayer: true, stored)
    static let retrieveSession = sessions("RETRIEVE_SESSION", .get)
    static let createToken = RefusalCall(
        name: "CREATE_TOKEN", method: .post, sources: [.card, .stored], path: { _, _ in "/merchant/M/token" },
        content: stored)
    static let replaceToken = tokens("UPDATE_TOKEN", .put, sources: [.card, .stored], stored)
    static let retrieveToken = tokens("RETRIEVE_TOKEN", .get)
    static let deleteToken = tokens("DELETE_TOKEN", .delete)
    static let inquirePaymentOptions = RefusalCall(
        name: "PAYMENT_OPTIONS_INQUIRY", method: .post, path: { _, _ in "/merchant/M/paymentOptionsInquiry" },
        content: { request, bench in
            var content: JSONValue = ["order": ["currency": "USD"]]
            content.pay(request, bench)
            return content
        })
    static let inquireBalance = RefusalCall(
        name: "BALANCE_INQUIRY", method: .put, path: { _, _ in "/merchant/M/balanceInquiry" }, content: { _, _ in [:] })
    static let authenticatePayer = RefusalCall(
        name: "AUTHENTICATE_PAYER", method: .put, path: { _, _ in "/merchant/M/3DSecureId/1" }, content: { _, _ in [:] }
    )
}

extension JSONValue {
    /// Puts a source of funds into a request.
    fileprivate mutating func pay(_ request: FaultyRequest, _ bench: RefusalBench) {
        let card = ["sourceOfFunds", "provided", "card"]
        if request.source != .stored { set(["sourceOfFunds", "type"], "CARD") }
        switch request.source {
        case .card, .members:
            set(card[...], ["number": "5123450000000008", "expiry": ["month": "12", "year": "39"]])
            guard request.source == .members else { return }
            set(
                (card + ["devicePayment"])[...],
                [
                    "cryptogramFormat": "3DSECURE", "eciIndicator": "5",
                    "onlinePaymentCryptogram": .string(bench.cryptograms[request.token] ?? ""),
                ])
        case .token:
            set((card + ["devicePayment", "paymentToken"])[...], .string(bench.tokens[request.token] ?? ""))
        case .stored:
            set(["sourceOfFunds", "token"], .string(bench.names.cardToken))
            set(["session", "id"], .string(bench.name(request.session)))
            return
        }
        set(["order", "walletProvider"], "APPLE_PAY")
    }
}
