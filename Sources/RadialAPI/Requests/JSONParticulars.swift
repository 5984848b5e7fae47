internal import JSON

/// The request details that retrievals by Mastercard's API return.
enum JSONParticulars {
    /// No details.
    case none
    /// The payer's details.
    case payer(PayerInformation)

    var value: JSONValue {
        switch self {
        case .none: .object(JSONObject())
        case .payer(let payer): .object(payer.particulars)
        }
    }
}
