internal import JSON

extension Order {
    /// The most bytes of JSON that are kept of what one request says; several times those of a request with details of some
    /// hundred items. Our choice, as are the others: what the real gateway allows is not public.
    public static let requestParticularsBytesMax = 256 << 10
    /// The most bytes that are kept of what all requests on an order say.
    public static let particularsBytesMax: Int64 = 2 << 20
    /// Bytes beyond that for what refunds and voids say themselves, which an order always has room for.
    public static let refundParticularsBytesMax: Int64 = 512 << 10
}

extension Instruction {
    /// Refuses a request whose particulars don't fit into its order. Those of a REFUND or VOID are never the reason to
    /// refuse it.
    func checkRoom(in order: Order?) throws(Refusal) {
        let byteCount = particulars.keptByteCount
        guard byteCount > 0 else { return }
        guard (order?.particularsByteCount ?? 0) + byteCount <= Order.particularsBytesMax else {
            throw .orderParticularsFull(bytesMax: Order.particularsBytesMax)
        }
    }
}

extension Decision {
    /// What replies repeat: what the request said, and of the order and its payer also what earlier ones said, unless the
    /// order has no room for that; with the bytes that the order keeps then.
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

    /// The groups of a request that stay with the order; the others are those of one transaction. Recorded replies to VOID
    /// and REFUND have them though the requests hadn't.
    private static let particularsOfOrder: Set<String> = [
        "agreement", "billing", "customer", "order", "shipping", "sourceOfFunds",
    ]
}

extension JSONValue {
    /// How many bytes of JSON are kept of particulars; 0 if there are none.
    fileprivate var keptByteCount: Int64 {
        if case .object(let members) = self, members.isEmpty { return 0 }
        return Int64(serialized().count)
    }
}

extension JSONObject {
    /// The members of this object with those of another one where this has none; where both have an object, the two become
    /// one.
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
