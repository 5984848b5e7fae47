internal import JSON

/// What a request says that retrievals by the ledger's other API repeat.
enum JSONParticulars {
    /// Nothing.
    case none
    /// Who pays.
    case payer(PayerInformation)

    var value: JSONValue {
        switch self {
        case .none: .object(JSONObject())
        case .payer(let payer): .object(payer.particulars)
        }
    }
}
