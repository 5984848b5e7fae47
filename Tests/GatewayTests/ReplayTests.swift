import Testing

/// Repeated requests and reused tokens.
struct ReplayTests {
    @Test func `the same request again gives the same bytes, however it is spaced and its amount written`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let token = try folder.mint("5656.00")
        let reply = try gateway.put(TransactionPath(), PaymentRequest.token(token, amount: "5656.00"))
        #expect(reply.status == 201)

        let escaped = token.replacing("\"", with: "\\\"")
        let rewritten = """
            { "transaction": {"source":"INTERNET"}, "correlationId": null,
              "order": {"walletProvider":"APPLE_PAY","currency":"USD","amount":5656},
              "sourceOfFunds": {"type":"CARD","provided":{"card":{"devicePayment":{"paymentToken":"\(escaped)"}}}},
              "apiOperation": "AUTHORIZE" }
            """
        for body in [PaymentRequest.token(token, amount: "5656"), Array(rewritten.utf8)] {
            let repeated = try gateway.put(TransactionPath(), body)
            #expect(repeated.status == 201)
            #expect(repeated.body == reply.body)
        }
    }

    @Test func `other parameters under the same identifiers are refused`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let reply = try gateway.put(TransactionPath(), try folder.mintRequest("5656"))

        for request in [try folder.mintRequest("5656"), try folder.mintRequest("5656", operation: "PAY")] {
            let refused = try gateway.put(TransactionPath(), request)
            #expect(refused.status == 400)
            #expect(refused["error.explanation"]?.contains("the transaction parameters do not match") == true)
        }
        #expect(try gateway.get(TransactionPath()).body == reply.body)
    }

    @Test(arguments: ["5656", "5858", "6161", "6363"])
    func `a token that may have moved money pays for nothing else`(amount: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let request = try folder.mintRequest(amount)
        #expect(try gateway.put(TransactionPath(), request).status == 201)

        for path in [TransactionPath(order: "order-2"), TransactionPath(order: "order-2", transaction: "2")] {
            let refused = try gateway.put(path, request)
            #expect(refused.status == 400)
            #expect(refused["error.field"] == "sourceOfFunds.provided.card.devicePayment.paymentToken")
            #expect(refused["error.explanation"]?.contains("refused at step 'replay'") == true)
            #expect(try gateway.get(path).status == 400)
        }
    }

    @Test(arguments: ["5858", "6363"])
    func `a token whose fate is unknown doesn't pay for the same order again either`(amount: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let request = try folder.mintRequest(amount)
        #expect(try gateway.put(TransactionPath(), request).status == 201)

        let refused = try gateway.put(TransactionPath(transaction: "2"), request)
        #expect(refused.status == 400)
        #expect(refused["error.explanation"]?.contains("refused at step 'replay'") == true)
    }

    @Test(arguments: ["5757", "5959", "6262"])
    func `a token that moved no money may be tried again for its order, and for no other`(amount: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let request = try folder.mintRequest(amount)
        #expect(try gateway.put(TransactionPath(), request).status == 201)

        let again = try gateway.put(TransactionPath(transaction: "2"), request)
        #expect(again.status == 201)
        #expect(again["transaction.id"] == "2")
        let elsewhere = try gateway.put(TransactionPath(order: "order-2"), request)
        #expect(elsewhere.status == 400)
        #expect(elsewhere["error.explanation"]?.contains("refused at step 'replay'") == true)
    }

    @Test func `a credited token is remembered over a kill`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let request = try folder.mintRequest()
        #expect(try gateway.put(TransactionPath(), request).status == 201)
        gateway.kill()

        let next = try RunningGateway(in: folder)
        defer { next.kill() }
        let refused = try next.put(TransactionPath(order: "order-2"), request)
        #expect(refused.status == 400)
        #expect(refused["error.explanation"]?.contains("refused at step 'replay'") == true)
    }

    @Test func `the same request from many connections at once has one answer`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let request = try folder.mintRequest()

        let replies = try gateway.putAtOnce((0..<16).map { _ in (TransactionPath(), request) })
        #expect(replies.allSatisfy { $0.status == 201 })
        #expect(Set(replies.map(\.body)).count == 1)
        #expect(try gateway.get(TransactionPath()).body == replies.first?.body)
    }

    @Test func `a token presented for many orders at once pays for one of them`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let request = try folder.mintRequest()

        let replies = try gateway.putAtOnce((0..<16).map { (TransactionPath(order: "order-\($0)"), request) })
        #expect(replies.count { $0.status == 201 } == 1)
        let refused = replies.filter { $0.status != 201 }
        #expect(refused.allSatisfy { $0.status == 400 })
        #expect(refused.allSatisfy { $0["error.explanation"]?.contains("refused at step 'replay'") == true })
    }
}

extension RunningGateway {
    /// Sends transactions, each on a connection of its own, before any reply is read.
    fileprivate func putAtOnce(_ requests: [(path: TransactionPath, body: [UInt8])]) throws -> [HTTPReply] {
        let connections = try requests.map { _ in try HTTPConnection(port: port) }
        for (connection, request) in zip(connections, requests) {
            let head =
                "PUT \(request.path.text) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + credentials.field
                + "Content-Length: \(request.body.count)\r\n\r\n"
            try connection.send(Array(head.utf8) + request.body)
        }
        return try connections.map { try HTTPReply(only: try $0.receiveToEnd()) }
    }
}
