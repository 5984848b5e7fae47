import Testing

/// The outcomes that Mastercard's page on Apple Pay lists by order amount.
struct SimulatedOutcomeTests {
    /// One row of the page, with what the order looks like afterwards.
    struct Row: CustomStringConvertible {
        let amount: String
        let gatewayCode: String
        let result: String
        /// After AUTHORIZE and after PAY.
        let status: (authorize: String, pay: String)
        /// What was approved.
        let approved: String
        let acquirerCode: String?

        init(
            _ amount: String, _ gatewayCode: String, _ result: String, _ authorize: String, _ pay: String,
            approved: String = "0.00", acquirerCode: String? = nil
        ) {
            self.amount = amount
            self.gatewayCode = gatewayCode
            self.result = result
            status = (authorize, pay)
            self.approved = approved
            self.acquirerCode = acquirerCode
        }

        var description: String { amount }
    }

    static let rows = [
        Row("5656", "APPROVED", "SUCCESS", "AUTHORIZED", "CAPTURED", approved: "5656.00", acquirerCode: "00"),
        Row("5757", "DECLINED", "FAILURE", "FAILED", "FAILED", acquirerCode: "05"),
        Row("5858", "TIMED_OUT", "FAILURE", "FAILED", "FAILED"),
        Row("5959", "UNSPECIFIED_FAILURE", "FAILURE", "FAILED", "FAILED"),
        Row("6161", "PARTIALLY_APPROVED", "SUCCESS", "AUTHORIZED", "CAPTURED", approved: "3080.50", acquirerCode: "10"),
        Row("6262", "SYSTEM_ERROR", "FAILURE", "FAILED", "FAILED"),
        Row("6363", "UNKNOWN", "UNKNOWN", "FAILED", "FAILED"),
        // The page prints whole numbers: 56.56 is none of them.
        Row("56.56", "APPROVED", "SUCCESS", "AUTHORIZED", "CAPTURED", approved: "56.56", acquirerCode: "00"),
        Row("57.57", "APPROVED", "SUCCESS", "AUTHORIZED", "CAPTURED", approved: "57.57", acquirerCode: "00"),
    ]

    @Test(arguments: ["AUTHORIZE", "PAY"])
    func `a minted token gets the outcome of its amount`(operation: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }

        for row in Self.rows {
            let path = TransactionPath(order: "order-\(row.amount)")
            let reply = try gateway.put(path, try folder.mintRequest(row.amount, operation: operation))
            let retrieved = try gateway.send("GET", path.ofOrder)
            let comment = Comment(rawValue: "\(operation) of \(row.amount): \(reply.text)")
            #expect(reply.status == 201, comment)
            #expect(reply["response.gatewayCode"] == row.gatewayCode, comment)
            #expect(reply["response.acquirerCode"] == row.acquirerCode, comment)
            #expect(reply["result"] == row.result, comment)
            let isPay = operation == "PAY"
            #expect(reply["transaction.type"] == (isPay ? "PAYMENT" : "AUTHORIZATION"), comment)
            #expect((reply["transaction.authorizationCode"] != nil) == (row.result == "SUCCESS"), comment)
            for (reply, place) in [(reply, "order."), (retrieved, "")] {
                #expect(reply[place + "status"] == (isPay ? row.status.pay : row.status.authorize), comment)
                #expect(reply[place + "totalAuthorizedAmount"] == row.approved, comment)
                #expect(reply[place + "totalCapturedAmount"] == (isPay ? row.approved : "0.00"), comment)
                #expect(reply[place + "totalRefundedAmount"] == "0.00", comment)
                #expect(reply[place + "totalDisbursedAmount"] == "0.00", comment)
            }
            #expect(retrieved.status == 200, comment)
            #expect(retrieved["result"] == "SUCCESS", comment)
        }
    }

    @Test(arguments: ["5757", "5757.0", "5757.00", "05757.00"])
    func `an amount is compared as a number`(amount: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let token = try folder.mint("5757.00")

        let reply = try gateway.put(TransactionPath(), PaymentRequest.token(token, amount: amount))
        #expect(reply.status == 201)
        #expect(reply["response.gatewayCode"] == "DECLINED")
        #expect(reply["order.amount"] == "5757.00")
    }
}
