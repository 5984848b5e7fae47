internal import JSON
internal import OpenSSL
internal import Payments
internal import Values
internal import Vault

/// The replies about a session.
struct SessionReply {
    private let session: Session
    private let correlationID: String?

    /// - Parameter correlationID: the request's `correlationId`.
    init(_ session: Session, _ correlationID: String?) {
        self.session = session
        self.correlationID = correlationID
    }

    /// The first version in which a new session has a key and a limit.
    private static let keyVersion = 51

    /// The reply to CREATE SESSION. The key encrypts results that are returned through a payer's browser, which is
    /// not simulated, so it is not stored.
    func creation(in version: APIVersion) -> JSONValue {
        var members = members
        if version.number >= Self.keyVersion {
            members["aes256Key"] = .string(Base64.encoded(RandomBytes.generate(32)))
            members["authenticationLimit"] = .number(JSONNumber(session.authenticationLimit))
        }
        var reply: JSONObject = [
            "merchant": .string(session.merchant.text), "result": "SUCCESS", "session": .object(members),
        ]
        reply.add(["correlationId": correlationID])
        return .object(reply)
    }

    /// The reply to UPDATE SESSION and RETRIEVE SESSION, which has no `result`.
    func content(in version: APIVersion) -> JSONValue { .object(content(version)) }

    /// The reply to an UPDATE SESSION that the session authenticated.
    func payerContent(in version: APIVersion) -> JSONValue { .object(PayerFields.shown(content(version))) }

    private func content(_ version: APIVersion) -> JSONObject {
        var reply = PaymentFields.session.shown(session.fields.root)
        reply.add(["correlationId": correlationID])
        reply["merchant"] = .string(session.merchant.text)
        reply["session"] = .object(members)
        reply["version"] = .string(version.text)
        return reply
    }

    private var members: JSONObject {
        [
            "id": .string(session.id), "updateStatus": .string(session.updateStatus.rawValue),
            "version": .string(session.version),
        ]
    }
}

extension RequestFields {
    /// The stored fields as replies show them: without secrets, and with the card's details by which the payer
    /// recognises it.
    fileprivate func shown(_ object: JSONNode, path: String = "") -> JSONObject {
        var shown = JSONObject()
        for (name, value) in object.members {
            let path = path.isEmpty ? name : path + "." + name
            switch self[name] {
            case .object(let fields) where value.kind == .object:
                shown[name] =
                    path == PaymentFields.card
                    ? .object(value.shownCard(fields)) : .object(fields.shown(value, path: path))
            // In place of an object there can be an empty array, which counts as absent.
            case .field(.secret, _), .field(.encryptedToken, _), .object, .unsupported, nil: break
            case .field(let rule, _): shown[name] = rule.shown(value)
            case .array(let fields, _):
                shown[name] = .array(value.elements.map { .object(fields.shown($0, path: path)) })
            case .custom(let rule, _) where value.kind == .object:
                shown[name] = .object(JSONObject(value.members.map { ($0.name, rule.shown($0.value)) }))
            case .custom: break
            }
        }
        return shown
    }
}

extension JSONNode {
    fileprivate func shownCard(_ fields: RequestFields) -> JSONObject {
        let device = member("devicePayment")
        var card = fields.shown(self)
        if let number = try? accountNumber(isDevice: true) {
            let brand = CardBrand(number)
            card["number"] = .string(number.masked(first: 6, last: 4))
            card["brand"] = .string(brand.rawValue)
            card["fundingMethod"] = .string((device == nil ? FundingMethod.credit : .unknown).rawValue)
            card["scheme"] = .string(brand.scheme.rawValue)
        }
        if let count = member("securityCode")?.withFieldBytes({ $0.count }) {
            card["securityCode"] = .string(String(repeating: "x", count: count))
        }
        if let name = member("nameOnCard")?.fieldText { card["nameOnCard"] = .string(name.maskingAccountNumbers()) }
        for part in ["expiry", "maskedFpanExpiry"] {
            guard let expiry = member(part) else { continue }
            card[part] = .object(expiry.shownExpiry)
        }
        // No data that a device generated are shown, and an object that is empty without them is omitted.
        if case .object(var device) = card["devicePayment"] {
            device["3DSecure"] = nil
            card["devicePayment"] = device.isEmpty ? nil : .object(device)
        }
        return card
    }

    /// A month without a leading zero, and a year of two digits.
    private var shownExpiry: JSONObject {
        var shown = JSONObject()
        if let month = member("month")?.decimalText { shown["month"] = .string(Int(month).map(String.init) ?? month) }
        if let year = member("year")?.decimalText { shown["year"] = .string(year) }
        return shown
    }
}
