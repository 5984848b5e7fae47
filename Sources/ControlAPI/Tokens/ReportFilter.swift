internal import ApplePay
internal import JSON
internal import Payments
internal import Values

/// A filter for the reports of refused tokens.
struct ReportFilter: Equatable {
    private let merchant: MerchantID?
    private let before: String?
    private let limit: Int

    /// Parses a query `merchant=…&before=…&limit=…`, in which each parameter is optional.
    init(query: String?) throws(ControlFault) {
        let query = try ControlQuery(query, ["merchant", "before", "limit"])
        if let text = query["merchant"] {
            do { merchant = try MerchantID(text) } catch {
                throw ControlFault(field: "merchant", "Not a merchant id")
            }
        } else {
            merchant = nil
        }
        before = query["before"]
        limit = try query.integer("limit", in: 1...100) ?? 50
    }

    /// The matching reports, newest first. `next` is the id from which the list goes on, if it does.
    func list(_ archive: ReportArchive) throws(ControlFault) -> JSONValue {
        guard let (reports, hasMore) = archive.list(of: merchant, before: before, countMax: limit) else {
            throw ControlFault(field: "before", "No report has this id, or has any more; begin without it")
        }
        var members: JSONObject = ["reports": .array(reports.map(\.json))]
        if hasMore { members["next"] = reports.last.map { .string($0.id) } }
        return .object(members)
    }
}

extension KeptReport {
    fileprivate var json: JSONValue {
        var members: JSONObject = [
            "id": .string(id), "merchant": .string(merchant.text), "time": .string(time.description),
        ]
        members["reason"] = refusal.map { .string($0.step.rawValue) }
        members["explanation"] = explanation.map { .string($0) }
        return .object(members)
    }
}
