internal import ApplePay
internal import HTTP
internal import Access
internal import Payments
internal import Values
internal import XML

extension RadialService {
    /// Decrypts an Apple Pay token. The documentation gives only this service no suffix.
    static let decryptBlob: RadialService = {
        var service = RadialService("DecryptBlob", at: "decryptblob") { (api, call) throws(Fault) in
            try api.decryptBlob(call)
        }
        service.isSuffixOptional = true
        service.isServed = { $0.decryptsBlobs }
        return service
    }()
}

extension RadialAPI {
    /// `DecryptBlob`: decrypts an Apple Pay token. The reply's format is not documented publicly, so it is ours.
    ///
    /// The caller must have authenticated itself as the merchant by a TLS client certificate, and the merchant must
    /// have the privilege.
    func decryptBlob(_ call: Call) throws(Fault) -> [UInt8] {
        guard call.merchant.privileges.contains(.decryptBlob) else {
            throw Fault(.accessNotConfigured, nil, "the store lacks the privilege '\(Privilege.decryptBlob.rawValue)'")
        }
        guard let certificate = call.certificate, call.merchant.isIdentified(by: certificate.fingerprint) else {
            throw Fault(.accessNotConfigured, nil, "the connection has no client certificate of the merchant's")
        }
        let names: Set = ["AlgorithmVersion", "EncryptionHeader", "Version", "Data", "Signature"]
        let fields = try ElementFields(call.root, known: names, attributes: ["requestId", "sessionId"])
        _ = try fields.required("AlgorithmVersion", .oneOf(["apd"]))
        let token = try WalletPaymentInformation(decryptBlob: fields).token
        let opened: PaymentData
        do throws(Refusal) {
            let report: TokenReport
            (report, opened) = try call.merchant.report(on: token, at: now(), noting: call.trace.note(notices:))
            call.trace.note(notices: report.notes)
        } catch {
            throw fault(error, call)
        }
        call.trace.stages.end(.open)
        return try ReplyText.document("DecryptBlobReply") { reply throws(XMLUnwritable) in
            try opened.write(to: &reply)
        }
    }
}

extension PaymentData {
    fileprivate func write(to reply: inout XMLWriter) throws(XMLUnwritable) {
        try reply.element("PaymentAccountNumber", text: applicationPrimaryAccountNumber.revealed())
        let (year, month) = (applicationExpirationDate.year, applicationExpirationDate.month)
        try reply.element("ExpirationDate", text: "\(2000 + year)-\(month < 10 ? "0" : "")\(month)")
        if let currency = Currency(numericCode: currencyCode),
            let amount = Amount(exactly: transactionAmountMinorUnits, currency)
        {
            try reply.element("Amount", amount)
        }
        try reply.element("CardholderName", optionalText: cardholderName?.revealed())
        switch detail {
        case .threeDSecure(let onlinePaymentCryptogram, let eciIndicator):
            try reply.element("OnlinePaymentCryptogram", text: onlinePaymentCryptogram.revealed())
            try reply.element("EciIndicator", optionalText: eciIndicator)
        case .emv(let emvData, _):
            try reply.element("EmvData", text: emvData.revealed())
        }
        try reply.element(
            "TenderType", text: TenderType(ofReply: CardBrand(applicationPrimaryAccountNumber)).rawValue)
    }
}
