internal import HTTP
internal import HTTPTypes
internal import JSON
internal import Payments
internal import Values

// Lists of orders, and what the operator does with them.
extension ControlAPI {
    /// Lists orders, the newest first.
    func list(_ search: OrderSearch) async -> Response {
        do {
            guard let page = try await gateway.orders.orders(search.query) else {
                return ControlFault(field: "before", "Expected the next of an earlier page").response
            }
            return .control(page.json)
        } catch { return ControlFault.storeUnavailable.response }
    }

    /// Shows an order as its merchant would retrieve it, masked, with the latest requests for it.
    func show(_ key: OrderKey) async -> Response {
        guard let response = await gateway.operations.retrieve(key).response() else {
            return ControlFault.storeUnavailable.response
        }
        guard response.head.status == .ok else { return Self.fault(of: response, key).response }
        var filter = RequestFilter()
        (filter.merchant, filter.order) = (key.merchant.text, key.order.text)
        var reply = JSONWriter()
        reply.beginObject()
        response.body.withUnsafeBytes { RequestMask.write("order", $0, to: &reply) }
        reply.endObject()
        let requests = Array(#","requests":"#.utf8) + gateway.requests.text(filter) + Array("}".utf8)
        return .control(reply.bytes.dropLast() + requests, contentType: "application/json")
    }

    /// Why an order can't be shown.
    private static func fault(of response: Response, _ key: OrderKey) -> ControlFault {
        switch response.head.status.code {
        case 400:
            ControlFault(
                "Merchant \(PeerText.shown(key.merchant.text)) has no order \(PeerText.shown(key.order.text))",
                status: .notFound)
        case 401:
            ControlFault(
                "There is no merchant \(PeerText.shown(key.merchant.text)), or it is disabled", status: .notFound)
        default: .storeUnavailable
        }
    }

    /// Performs a request of Mastercard's API for an order, as its merchant would send it.
    func operate(on key: OrderKey, _ request: Request) throws(ControlFault) -> Answer {
        let operation = try OrderOperation(request.content)
        let peer = request.peer
        return .later {
            let answer = gateway.operations.perform(key, operation.transaction, operation.content, peer)
            return Self.reply(to: operation, await answer.response())
        }
    }

    private static func reply(to operation: OrderOperation, _ response: Response?) -> Response {
        var reply = JSONWriter()
        reply.beginObject()
        if let response { response.body.withUnsafeBytes { RequestMask.write("reply", $0, to: &reply) } }
        // A scripted outcome has cut the reply.
        reply.write(name: "status")
        if let response { reply.write(Int64(response.head.status.code)) } else { reply.write(JSONValue.null) }
        reply.write(name: "transactionId")
        reply.write(operation.transaction.text)
        reply.endObject()
        return .control(reply.bytes, contentType: "application/json")
    }
}

/// A request of Mastercard's API that the operator sends for an order.
private struct OrderOperation: Sendable {
    let transaction: TransactionID
    /// The request's JSON.
    let content: WipedBuffer

    /// The limits of a merchant's request, one level deeper for the object around it.
    private static let limits = JSONLimits(
        bytesMax: JSONLimits.default.bytesMax, depthMax: JSONLimits.default.depthMax + 1,
        valuesMax: JSONLimits.default.valuesMax)

    /// Reads `{"transactionId": …, "request": {…}}`. Without an identifier, the transaction gets a random one.
    init(_ content: WipedBuffer) throws(ControlFault) {
        let fields = try ControlFields(content, ["transactionId", "request"], limits: Self.limits)
        if let text = try fields.string("transactionId") {
            guard let id = try? TransactionID(text) else {
                throw fields.fault("transactionId", "Not an identifier of 1 to 40 characters")
            }
            transaction = id
        } else {
            guard let id = try? TransactionID("control-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)) else {
                preconditionFailure("a prefix and 13 digits at most are an identifier")
            }
            transaction = id
        }
        guard let request = fields["request"], request.kind == .object else {
            throw fields.fault("request", "Expected an object such as {\"apiOperation\": \"CAPTURE\", …}")
        }
        self.content = request.withRawBytes { WipedBuffer(Array($0)) }
    }
}
