internal import HTTP
internal import JSON
internal import Payments
internal import Values

extension OutcomeScript {
    /// Reads a script and its number of operations; 0 means every operation until the script is removed.
    ///
    /// - Parameter known: the codes that the simulator can return.
    static func read(
        _ content: WipedBuffer, known: Set<GatewayCode>
    ) throws(ControlFault) -> (script: OutcomeScript, count: Int) {
        let fields = try ControlFields(
            content,
            [
                "amount", "count", "gatewayCode", "lastFour", "latencyMilliseconds", "merchant", "operation", "order",
                "reply",
            ])
        let code = try fields.word("gatewayCode", GatewayCode.self)
        if let code, !known.contains(code) {
            let names = known.map(\.rawValue).sorted().joined(separator: ", ")
            throw fields.fault("gatewayCode", "simulator.yaml has no such outcome, but \(names)")
        }
        let latency = try fields.integer("latencyMilliseconds", in: 0...latencyMillisecondsMax) ?? 0
        let reply = try fields.word("reply", Reply.self) ?? .sent
        guard code != nil || latency > 0 || reply != .sent else {
            throw ControlFault("Name a gatewayCode, a latencyMilliseconds or a reply: this changes nothing")
        }
        guard reply != .late || latency > 0 else {
            throw fields.fault("latencyMilliseconds", "A late reply has one above 0")
        }
        let script = OutcomeScript(
            merchant: try fields.identifier("merchant") { (text) throws(MalformedIdentifier) in try MerchantID(text) },
            order: try fields.identifier("order") { (text) throws(MalformedIdentifier) in try OrderID(text) },
            operation: try fields.word("operation", PaymentOperation.self), amount: try fields.exactAmount("amount"),
            lastFour: try fields.lastFour("lastFour"), gatewayCode: code, latencyMilliseconds: latency, reply: reply)
        return (script, try fields.integer("count", in: 0...OutcomeRegister.operationsMax) ?? 1)
    }

    /// The script as JSON, with its id and its number of remaining operations, 0 if it waits until it is removed.
    func json(id: Int, remaining: Int) -> JSONValue {
        var members: JSONObject = [
            "count": .number(JSONNumber(remaining)), "id": .number(JSONNumber(id)),
            "latencyMilliseconds": .number(JSONNumber(latencyMilliseconds)), "reply": .string(reply.rawValue),
        ]
        members["merchant"] = merchant.map { .string($0.text) }
        members["order"] = order.map { .string($0.text) }
        members["operation"] = operation.map { .string($0.rawValue) }
        members["amount"] = amount.map { .string($0.description) }
        members["lastFour"] = lastFour.map { .string($0) }
        members["gatewayCode"] = gatewayCode.map { .string($0.rawValue) }
        return .object(members)
    }
}

extension ControlFields {
    /// An identifier; nil if absent.
    fileprivate func identifier<Identifier>(
        _ name: String, _ read: (String) throws(MalformedIdentifier) -> Identifier
    ) throws(ControlFault) -> Identifier? {
        guard let text = try string(name) else { return nil }
        do { return try read(text) } catch { throw fault(name, "Not an identifier of 1 to 40 characters") }
    }

    /// An amount without a currency; nil if absent.
    fileprivate func exactAmount(_ name: String) throws(ControlFault) -> ExactDecimal? {
        guard self[name] != nil else { return nil }
        guard let amount = ExactDecimal(try decimal(name)) else {
            throw fault(name, "Expected a plain decimal such as 58.57")
        }
        return amount
    }

    /// The last four digits of an account number; nil if absent.
    fileprivate func lastFour(_ name: String) throws(ControlFault) -> String? {
        guard let text = try string(name) else { return nil }
        guard text.utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw fault(name, "Expected four digits")
        }
        return text
    }
}
