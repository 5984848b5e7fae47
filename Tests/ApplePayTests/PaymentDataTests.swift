import JSON
import Testing
import Values

@testable import ApplePay

struct PaymentDataTests {
    /// Payment data with one member written otherwise, or left out.
    private static func text(_ name: String? = nil, _ value: String? = nil, detail: String? = nil) -> String {
        var members = [
            ("applicationPrimaryAccountNumber", #""5123450000000008""#), ("applicationExpirationDate", #""391231""#),
            ("currencyCode", #""840""#), ("transactionAmount", "5656"),
            ("deviceManufacturerIdentifier", #""050110030273""#), ("paymentDataType", #""3DSecure""#),
            ("paymentData", detail ?? #"{"onlinePaymentCryptogram":"AMwBRg==","eciIndicator":"7"}"#),
        ]
        if let name {
            members.removeAll { $0.0 == name }
            if let value { members.append((name, value)) }
        }
        return "{" + members.map { #""\#($0.0)":\#($0.1)"# }.joined(separator: ",") + "}"
    }

    private static func read(_ text: String) throws(TokenRefusal) -> PaymentData {
        try Array(text.utf8).withUnsafeBufferPointer { (buffer) throws(TokenRefusal) in
            try PaymentData(json: UnsafeRawBufferPointer(buffer))
        }
    }

    @Test func `payment data is read as found`() throws {
        let text = Self.text("note", #"[1.50,{"unknown":null}]"#)
        let paymentData = try Self.read(text)
        #expect(paymentData.applicationPrimaryAccountNumber.revealed() == "5123450000000008")
        #expect(paymentData.applicationExpirationDate.yymmdd == "391231")
        #expect(paymentData.currencyCode == "840")
        #expect(paymentData.transactionAmountMinorUnits == 5656)
        #expect(paymentData.deviceManufacturerIdentifier == "050110030273")
        #expect(paymentData.cardholderName == nil)
        #expect(paymentData.document.revealed() == text)
        switch paymentData.detail {
        case .threeDSecure(let cryptogram, let indicator):
            #expect(cryptogram.revealed() == "AMwBRg==")
            #expect(indicator == "7")
        case .emv: Issue.record("data of another type")
        }
    }

    @Test(arguments: [
        "applicationPrimaryAccountNumber", "applicationExpirationDate", "currencyCode", "transactionAmount",
        "deviceManufacturerIdentifier", "paymentDataType", "paymentData",
    ])
    func `a member that must be there may be neither absent nor null`(name: String) {
        #expect(throws: TokenRefusal.paymentDataMemberMissing(name)) { try Self.read(Self.text(name)) }
        #expect(throws: TokenRefusal.paymentDataMemberMissing(name)) { try Self.read(Self.text(name, "null")) }
    }

    @Test(arguments: [
        ("applicationPrimaryAccountNumber", [#""""#, "5123450000000008", #""512345""#, #""512345000000000x""#]),
        ("applicationExpirationDate", [#""""#, "391231", #""3912""#, #""391232""#, #""2039-12-31""#]),
        ("currencyCode", [#""""#, "840", #""USD""#, #""84""#, #""0840""#]),
        (
            "transactionAmount",
            [
                "-1", "1.5", "1.0", "1e2", #""""#, #""-1""#, #""1.00""#, "true", "[]", "9223372036854775808",
                "99999999999999999999999999",
            ]
        ),
        ("deviceManufacturerIdentifier", ["0", #""0""#, #""xx""#]), ("paymentDataType", ["3"]),
        ("paymentData", ["[]", #""""#, "1"]), ("cardholderName", ["1", "[]", "{}", "false"]),
    ])
    func `a member of another form is refused`(name: String, values: [String]) {
        for value in values {
            #expect(throws: TokenRefusal.paymentDataMemberMalformed(name), "\(value)") {
                try Self.read(Self.text(name, value))
            }
        }
    }

    @Test(arguments: [("0", 0), (#""250""#, 250), (#""007""#, 7), ("9223372036854775807", .max)] as [(String, Int64)])
    func `an amount is a whole number, or a string of digits`(value: String, minorUnits: Int64) throws {
        #expect(try Self.read(Self.text("transactionAmount", value)).transactionAmountMinorUnits == minorUnits)
    }

    @Test(arguments: ["emv", "3dsecure", "", "3DSecure "])
    func `an unknown type of payment data is refused`(type: String) {
        #expect(throws: TokenRefusal.paymentDataTypeUnknown(Printable(type))) {
            try Self.read(Self.text("paymentDataType", "\"\(type)\""))
        }
    }

    @Test(
        arguments: [
            ("{}", .paymentDataMemberMissing("onlinePaymentCryptogram")),
            (#"{"onlinePaymentCryptogram":null}"#, .paymentDataMemberMissing("onlinePaymentCryptogram")),
            (#"{"onlinePaymentCryptogram":""}"#, .paymentDataMemberMalformed("onlinePaymentCryptogram")),
            (#"{"onlinePaymentCryptogram":"*"}"#, .paymentDataMemberMalformed("onlinePaymentCryptogram")),
            (#"{"onlinePaymentCryptogram":1}"#, .paymentDataMemberMalformed("onlinePaymentCryptogram")),
            (#"{"onlinePaymentCryptogram":"AA==","eciIndicator":7}"#, .paymentDataMemberMalformed("eciIndicator")),
            (#"{"onlinePaymentCryptogram":"AA==","eciIndicator":"x"}"#, .paymentDataMemberMalformed("eciIndicator")),
            (#"{"onlinePaymentCryptogram":"AA==","eciIndicator":"007"}"#, .paymentDataMemberMalformed("eciIndicator")),
        ] as [(String, TokenRefusal)])
    func `3-D Secure data must have a cryptogram and may have an indicator`(detail: String, refusal: TokenRefusal) {
        #expect(throws: refusal) { try Self.read(Self.text(detail: detail)) }
    }

    @Test(arguments: [(nil, nil), ("null", nil), (#""5""#, "5"), (#""07""#, "07")] as [(String?, String?)])
    func `an indicator is passed on as found, and none is invented`(value: String?, indicator: String?) throws {
        let member = value.map { #","eciIndicator":\#($0)"# } ?? ""
        let paymentData = try Self.read(Self.text(detail: #"{"onlinePaymentCryptogram":"AA=="\#(member)}"#))
        switch paymentData.detail {
        case .threeDSecure(_, let found): #expect(found == indicator)
        case .emv: Issue.record("data of another type")
        }
    }

    @Test(
        arguments: [
            (#"{"emvData":"nyYI"}"#, nil), (#"{"emvData":"nyYI","encryptedPINData":null}"#, nil),
            (#"{"emvData":"nyYI","encryptedPINData":"0aFF"}"#, "0aFF"),
        ] as [(String, String?)])
    func `EMV data must be there, and a PIN may be`(detail: String, pin: String?) throws {
        let text = Self.text(detail: detail).replacing("3DSecure", with: "EMV")
        switch try Self.read(text).detail {
        case .emv(let emvData, let encryptedPINData):
            #expect(emvData.revealed() == "nyYI")
            #expect(encryptedPINData?.revealed() == pin)
        case .threeDSecure: Issue.record("data of another type")
        }
    }

    @Test(
        arguments: [
            ("{}", .paymentDataMemberMissing("emvData")), (#"{"emvData":""}"#, .paymentDataMemberMalformed("emvData")),
            (#"{"emvData":"*"}"#, .paymentDataMemberMalformed("emvData")),
            (#"{"emvData":1}"#, .paymentDataMemberMalformed("emvData")),
            (#"{"emvData":"nyYI","encryptedPINData":"0"}"#, .paymentDataMemberMalformed("encryptedPINData")),
            (#"{"emvData":"nyYI","encryptedPINData":1}"#, .paymentDataMemberMalformed("encryptedPINData")),
        ] as [(String, TokenRefusal)])
    func `EMV data of another form are refused`(detail: String, refusal: TokenRefusal) {
        #expect(throws: refusal) { try Self.read(Self.text(detail: detail).replacing("3DSecure", with: "EMV")) }
    }

    @Test func `a payment for several merchants has an entry for each`() throws {
        let entries =
            #"[{"merchantIdentifier":"a","authenticationData":"AA==","transactionAmount":"250"},"#
            + #"{"merchantIdentifier":"b","authenticationData":"BB==","transactionAmount":50}]"#
        let responses = try Self.read(Self.text("authenticationResponses", entries)).authenticationResponses
        #expect(responses.map(\.merchantIdentifier) == ["a", "b"])
        #expect(responses.map(\.transactionAmountMinorUnits) == [250, 50])
        #expect(responses.map { $0.authenticationData.revealed() } == ["AA==", "BB=="])
        #expect(throws: TokenRefusal.paymentDataMemberMalformed("authenticationResponses")) {
            try Self.read(Self.text("authenticationResponses", #"[{"merchantIdentifier":"a"}]"#))
        }
    }

    @Test(arguments: [
        ("authenticationResponses", ["{}", #""a""#, "1", "[1]", "[[]]", "[null]"]),
        ("merchantTokenMetadata", ["[]", #""a""#, "1", "true"]), ("merchantTokenIdentifier", ["1", "{}"]),
    ])
    func `what goes with several merchants or a merchant token has its form or is refused`(
        name: String, values: [String]
    ) {
        for value in values {
            #expect(throws: TokenRefusal.paymentDataMemberMalformed(name), "\(value)") {
                try Self.read(Self.text(name, value))
            }
        }
    }

    @Test(arguments: ["{}", #"{"cardArt":[]}"#, #"{"cardArt":{},"cardMetadata":[]}"#, #"{"cardMetadata":{}}"#])
    func `a merchant token may come without anything about its card`(metadata: String) throws {
        let read = try Self.read(Self.text("merchantTokenMetadata", metadata)).merchantTokenMetadata
        let found = try #require(read)
        #expect(found.cardArt.isEmpty && found.fpanSuffix == nil && found.expirationDate == nil)
    }

    @Test func `a merchant token has an identifier and what goes with it`() throws {
        let metadata =
            #"{"cardArt":[{"name":"n","type":"t","url":"u"}],"#
            + #""cardMetadata":{"expirationDate":"12/39","fpanSuffix":"0008"}}"#
        let paymentData = try Self.read(Self.text("merchantTokenMetadata", metadata))
        #expect(paymentData.merchantTokenMetadata?.fpanSuffix == "0008")
        #expect(paymentData.merchantTokenMetadata?.expirationDate == "12/39")
        #expect(paymentData.merchantTokenMetadata?.cardArt.map(\.url) == ["u"])
        #expect(try Self.read(Self.text("merchantTokenIdentifier", #""DNITHE00""#)).merchantTokenIdentifier != nil)
    }

    @Test func `a name is passed on unescaped and otherwise as found`() throws {
        let paymentData = try Self.read(Self.text("cardholderName", #""  Zo\u00eb \/ M\u00fcller ""#))
        #expect(paymentData.cardholderName?.revealed() == "  Zoë / Müller ")
    }

    @Test(arguments: [
        "", "null", "[]", "1", "{", "{}}", #"{"currencyCode":"840","currencyCode":"840"}"#, "\u{FEFF}{}",
        #"{"a":[[[[[[[[1]]]]]]]]}"#,
    ])
    func `what is no object in strict JSON is refused without a word of it`(text: String) {
        #expect(throws: TokenRefusal.plaintextNotJSON) { try Self.read(text) }
    }
}
