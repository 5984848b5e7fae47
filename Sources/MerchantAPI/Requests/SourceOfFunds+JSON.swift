internal import JSON
internal import Payments
internal import Values

extension SourceOfFunds {
    /// Reads a source of funds whose fields have been validated individually.
    ///
    /// - Parameter isPaid: whether the payer pays with it, so that a device's cryptogram is required.
    init(_ node: JSONNode?, wallet: WalletProvider?, isPaid: Bool) throws(ErrorReply) {
        guard let node else { throw .missing("sourceOfFunds") }
        let card = node.member("provided")?.member("card")
        let device = card?.member("devicePayment")
        if let card, let token = device?.member("paymentToken") {
            self = .applePayToken(try SourceOfFunds.paymentToken(token, beside: card, wallet: wallet))
        } else {
            guard let card else { throw .missing(PaymentFields.card + ".number") }
            let isDevice = device?.holdsAnything == true
            if isDevice, wallet == nil { throw .missing("order.walletProvider") }
            if isPaid, wallet == .applePay, !isDevice, card.member("number") != nil {
                throw .missing(PaymentFields.card + ".devicePayment.cryptogramFormat")
            }
            self = .card(try Card(card))
        }
    }

    private static let besideToken = ["number", "securityCode", "nameOnCard"]
    private static let besideTokenInDevicePayment = [
        "onlinePaymentCryptogram", "eciIndicator", "cryptogramFormat", "3DSecure",
    ]

    /// Reads an encrypted token, which contains all details of the card.
    private static func paymentToken(
        _ token: JSONNode, beside card: JSONNode, wallet: WalletProvider?
    ) throws(ErrorReply) -> SecretText {
        switch wallet {
        case .applePay: break
        case nil: throw .missing("order.walletProvider")
        case .some(let other):
            throw .unsupported("order.walletProvider", other.rawValue, "Tokens of APPLE_PAY can be decrypted")
        }
        let path = PaymentFields.card
        for name in besideToken where card.member(name) != nil { throw .besideToken(path + "." + name) }
        for name in ["month", "year"] where card.member("expiry")?.member(name) != nil {
            throw .besideToken(path + ".expiry." + name)
        }
        for name in besideTokenInDevicePayment
        where card.member("devicePayment")?.member(name)?.holdsAnything == true {
            throw .besideToken(path + ".devicePayment." + name)
        }
        guard let text = token.secretText, text.utf8Count > 0 else {
            throw .invalidSecret(PaymentFields.paymentToken, "Length is 0 characters, but must be more than 0")
        }
        return text
    }
}

extension Card {
    /// Reads an unencrypted card, or a device's card if `devicePayment` is not empty.
    init(_ card: JSONNode) throws(ErrorReply) {
        let device = card.member("devicePayment")
        let isDevice = device?.holdsAnything == true
        let accountNumber = try card.accountNumber(isDevice: isDevice)
        let expiry = try CardExpiry(card.member("expiry"))
        self.init(
            accountNumber: accountNumber, expiry: expiry, nameOnCard: try card.nameOnCard(),
            securityCode: try card.securityCode(), devicePayment: isDevice ? try device.map(DevicePayment.init) : nil)
    }
}

extension DevicePayment {
    private static let path = PaymentFields.card + ".devicePayment"
    /// The maximum number of characters of a cryptogram, sufficient for 96 bytes in base 64.
    private static let cryptogramCharactersMax = 128

    /// The field of a request's cryptogram, which can be in one of two places.
    static func cryptogramField(of request: JSONNode) -> String {
        let device = request.member("sourceOfFunds")?.member("provided")?.member("card")?.member("devicePayment")
        return cryptogramField(nested: device?.member("3DSecure")?.member("onlinePaymentCryptogram") != nil)
    }

    /// The field of a cryptogram, inside `3DSecure` or next to it.
    static func cryptogramField(nested isNested: Bool) -> String {
        path + (isNested ? ".3DSecure" : "") + ".onlinePaymentCryptogram"
    }

    fileprivate init(_ device: JSONNode) throws(ErrorReply) {
        let nested = device.member("3DSecure").flatMap { $0.holdsAnything ? $0 : nil }
        if let nested {
            for (name, value) in nested.members where !value.isNull && device.member(name) != nil {
                throw .invalidSecret(value.path, "It must not be given together with \(Self.path).\(name)")
            }
        } else if device.member("cryptogramFormat") == nil {
            throw .missing(Self.path + ".cryptogramFormat")
        }
        func found(_ name: String) -> (node: JSONNode?, path: String) {
            if let node = device.member(name) { return (node, "\(Self.path).\(name)") }
            guard let nested else { return (nil, "\(Self.path).\(name)") }
            return (nested.member(name), "\(Self.path).3DSecure.\(name)")
        }
        let (cryptogramNode, cryptogramPath) = found("onlinePaymentCryptogram")
        guard let cryptogram = cryptogramNode?.secretText else { throw .missing(cryptogramPath) }
        if let fault = ErrorReply.lengthFault(cryptogram.utf8Count, 1...Self.cryptogramCharactersMax) {
            throw .invalidSecret(cryptogramPath, fault)
        }
        guard cryptogram.withUTF8({ Base64.byteCount(ofSecret: $0) }) ?? 0 > 0 else {
            throw .invalidSecret(cryptogramPath, "Expected base64")
        }
        let (eciNode, eciPath) = found("eciIndicator")
        self = .threeDSecure(
            onlinePaymentCryptogram: cryptogram,
            eciIndicator: try eciNode.map { (node) throws(ErrorReply) in
                try node.digits(1...2, at: eciPath).revealed()
            })
    }
}

extension CardExpiry {
    fileprivate init(_ expiry: JSONNode?) throws(ErrorReply) {
        let month = try Self.part(of: expiry, "month", digits: 1...2)
        let year = try Self.part(of: expiry, "year", digits: 2...2)
        guard let both = CardExpiry(month: month, year: year) else {
            throw .invalidSecret(PaymentFields.card + ".expiry.month", "Expected 1 to 12")
        }
        self = both
    }

    /// Reads a required part of an expiry.
    static func part(of expiry: JSONNode?, _ name: String, digits: ClosedRange<Int>) throws(ErrorReply) -> Int {
        guard let node = expiry?.member(name) else { throw .missing(PaymentFields.card + ".expiry." + name) }
        let text = node.string ?? node.numberText ?? ""
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy(\.isDecimalDigit), let number = Int(text) else {
            let count = digits.lowerBound == digits.upperBound ? "\(digits.upperBound)" : "1 or 2"
            throw .invalidSecret(node.path, "Expected \(count) digits")
        }
        return number
    }
}

extension JSONNode {
    /// Reads a card's or a device's account number. Apple doesn't guarantee a device's check digit.
    func accountNumber(isDevice: Bool) throws(ErrorReply) -> AccountNumber {
        let path = PaymentFields.card + ".number"
        guard let node = member("number") else { throw .missing(path) }
        let read = node.withFieldBytes { bytes -> Result<AccountNumber, AccountNumber.Malformed> in
            Result { () throws(AccountNumber.Malformed) in
                try AccountNumber(ascii: bytes, checkDigit: isDevice ? .any : .required)
            }
        }
        switch read {
        case .success(let number) where number.count >= 9: return number
        case .success(let number): throw .invalidSecret(path, ErrorReply.lengthFault(number.count, 9...19) ?? "")
        case .failure(.length(let count)): throw .invalidSecret(path, ErrorReply.lengthFault(count, 9...19) ?? "")
        case .failure(.notDigits): throw .invalidSecret(path, "Expected digits")
        case .failure(.checkDigit): throw .invalidSecret(path, "The check digit is wrong")
        case nil: throw .invalidSecret(path, "Expected a string")
        }
    }

    /// Reads the name on the card, if present.
    func nameOnCard() throws(ErrorReply) -> SecretText? {
        guard let name = member("nameOnCard")?.secretText else { return nil }
        let characters = name.withUTF8 { bytes in bytes.count { $0 & 0xC0 != 0x80 } }
        if let fault = ErrorReply.lengthFault(characters, 1...256) {
            throw .invalidSecret(PaymentFields.card + ".nameOnCard", fault)
        }
        return name
    }

    /// Reads the security code, if present.
    func securityCode() throws(ErrorReply) -> SecretText? {
        try member("securityCode").map { (node) throws(ErrorReply) in
            try node.digits(3...4, at: PaymentFields.card + ".securityCode")
        }
    }

    fileprivate func digits(_ count: ClosedRange<Int>, at path: String) throws(ErrorReply) -> SecretText {
        guard let text = secretText else { throw .invalidSecret(path, "Expected a string") }
        if let fault = ErrorReply.lengthFault(text.utf8Count, count) { throw .invalidSecret(path, fault) }
        guard text.withUTF8({ $0.allSatisfy(\.isDecimalDigit) }) else { throw .invalidSecret(path, "Expected digits") }
        return text
    }
}

extension ErrorReply {
    fileprivate static func besideToken(_ path: String) -> ErrorReply {
        .invalidSecret(path, "It must not be given together with a paymentToken, which contains it")
    }
}
