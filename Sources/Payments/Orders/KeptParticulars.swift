internal import JSON

extension Order {
    /// The maximum number of bytes of JSON that are stored of a single request's particulars: several times as many as
    /// in a request with details of some hundred items. This and the other limits are Tollgate's; the real gateway's
    /// are not public.
    public static let requestParticularsBytesMax = 256 << 10
    /// The maximum number of bytes that are stored of the particulars of all requests on an order.
    public static let particularsBytesMax: Int64 = 2 << 20
    /// Additional bytes for the particulars of refunds and voids themselves, so that an order always has room for them.
    public static let refundParticularsBytesMax: Int64 = 512 << 10
}

extension Instruction {
    /// Refuses a request whose particulars don't fit into its order. Not called for a VOID or the REFUND of a transaction,
    /// refused because of their particulars.
    func checkRoom(in order: Order?) throws(Refusal) {
        let byteCount = particulars.keptByteCount
        guard byteCount > 0 else { return }
        guard (order?.particularsByteCount ?? 0) + byteCount <= Order.particularsBytesMax else {
            throw .orderParticularsFull(bytesMax: Order.particularsBytesMax)
        }
    }
}

extension Decision {
    /// The particulars to store with the transaction, which replies repeat, and the number of bytes that the order then
    /// stores. They are merged with the target transaction's particulars of order and payer if the order has room for
    /// both; otherwise they are the request's own or, without room for those, empty.
    var keptParticulars: (particulars: JSONValue, orderByteCount: Int64) {
        let before = orderBefore?.particularsByteCount ?? 0
        let reserve = operation == .refund || operation == .void ? Order.refundParticularsBytesMax : 0
        let choices: [(particulars: JSONValue, bytesMax: Int64)] = [
            (merged, Order.particularsBytesMax), (instruction.particulars, Order.particularsBytesMax + reserve),
        ]
        for choice in choices {
            let byteCount = before + choice.particulars.keptByteCount
            if byteCount <= choice.bytesMax || choice.particulars.keptByteCount == 0 {
                return (choice.particulars, byteCount)
            }
        }
        return ([:], before)
    }

    private var merged: JSONValue {
        guard case .object(let said) = instruction.particulars, case .object(let before) = target?.particulars else {
            return instruction.particulars
        }
        return .object(said.laid(over: before.filter { Self.particularsOfOrder.contains($0.name) }))
    }

    /// The groups of particulars that belong to the order; all others belong to a single transaction. Recorded replies
    /// to VOID and REFUND have these groups although the requests had not.
    private static let particularsOfOrder: Set<String> = [
        "agreement", "billing", "customer", "order", "shipping", "sourceOfFunds",
    ]
}

extension JSONValue {
    /// The number of bytes of JSON that the particulars take in a store; 0 if there are none.
    fileprivate var keptByteCount: Int64 {
        if case .object(let members) = self, members.isEmpty { return 0 }
        return Int64(serialized().count)
    }
}

extension JSONObject {
    /// The members of this object, plus those of `members` that it lacks; where both have an object, the two are merged
    /// recursively.
    fileprivate func laid(over members: some Sequence<(name: String, value: JSONValue)>) -> JSONObject {
        var merged = self
        for (name, lower) in members {
            switch (merged[name], lower) {
            case (nil, _): merged[name] = lower
            case (.object(let upper), .object(let lower)): merged[name] = .object(upper.laid(over: lower))
            default: break
            }
        }
        return merged
    }
}
