internal import JSON
internal import Values
public import Vault

extension Transaction {
    /// The transaction's serialized form, with its particulars.
    public var record: [UInt8] { record(with: particulars) }

    /// The maximum size of particulars that are stored in the record itself, in bytes.
    static let particularsBytesInRecordMax = 1024

    /// The transaction's serialized form in the parts that a store keeps separately: the record and, if they are large,
    /// the particulars, so that later operations can be decided without reading them. The same for every store.
    public var parts: (record: [UInt8], particulars: [UInt8]?) {
        let whole = particulars.serialized()
        guard whole.count > Self.particularsBytesInRecordMax else { return (record, nil) }
        return (record(with: nil), whole)
    }

    private func record(with particulars: JSONValue?) -> [UInt8] {
        var record = JSONWriter()
        record.beginObject()
        record.member("acquirer")
        acquirer.write(to: &record)
        record.member("amount", amount.minorUnits)
        record.member("approved", approvedMinorUnits)
        record.member("authenticationStatus", authenticationStatus?.rawValue)
        record.member("authorizationCode", references.authorizationCode)
        record.member("card")
        card.write(to: &record)
        record.member("format", RecordFormat.current)
        record.member("gatewayCode", gatewayCode.rawValue)
        record.member("id", id.text)
        record.member("order")
        order.write(to: &record)
        if let particulars {
            record.member("particulars")
            record.write(particulars)
        }
        record.member("receipt", references.receipt)
        record.member("recommendation", recommendation?.rawValue)
        if let authorizationResponse {
            record.member("response")
            authorizationResponse.write(to: &record)
        }
        record.member("result", result.rawValue)
        record.member("source", source.rawValue)
        record.member("stan", Int64(references.systemTraceAuditNumber))
        record.member("target", targetTransactionID?.text)
        record.member("time", timeOfRecord.millisecondsSinceEpoch)
        record.member("type", type.rawValue)
        record.endObject()
        return record.bytes
    }

    /// Reads a transaction from its serialized form.
    ///
    /// - Parameter particulars: the bytes that are stored separately from the record; nil if they are in the record.
    public convenience init(record: [UInt8], particulars: [UInt8]? = nil) throws(RecordFault) {
        let reader = try RecordReader(record: record)
        guard let id = try? TransactionID(recorded: try reader.string("id")) else { throw .member("id") }
        let order = try Order(try reader.object("order"))
        let traceAuditNumber = try reader.integer("stan")
        guard (1...999_999).contains(traceAuditNumber) else { throw .member("stan") }
        let type: TransactionType = try reader.element("type")
        let amount = try reader.amount("amount", order.currency)
        self.init(
            id: id, type: type, amount: amount,
            approvedMinorUnits: try reader.approvedMinorUnits(of: amount, order),
            targetTransactionID: try reader.target(of: type),
            result: try reader.element("result"), gatewayCode: try reader.element("gatewayCode"),
            recommendation: try reader.elementIfPresent("recommendation"),
            acquirer: try AcquirerRecord(try reader.object("acquirer")),
            authorizationResponse: try reader.objectIfPresent("response").map { (response) throws(RecordFault) in
                try AuthorizationResponse(response)
            },
            references: TransactionReferences(
                systemTraceAuditNumber: Int(traceAuditNumber), receipt: try reader.string("receipt"),
                authorizationCode: try reader.stringIfPresent("authorizationCode")),
            source: try reader.element("source"),
            authenticationStatus: try reader.elementIfPresent("authenticationStatus"),
            timeOfRecord: try reader.instant("time"), card: try CardSummary(try reader.object("card")),
            particulars: try reader.particulars(beside: particulars), order: order)
    }
}

extension LedgerEntry {
    /// Reads the ledger's part of a transaction's record, with or without particulars in the record.
    public init(record: [UInt8]) throws(RecordFault) {
        let reader = try RecordReader(record: record)
        guard let id = try? TransactionID(recorded: try reader.string("id")) else { throw .member("id") }
        let type: TransactionType = try reader.element("type")
        let approved =
            reader.format == 1 ? try reader.object("order").count("authorized") : try reader.count("approved")
        guard approved <= (try reader.count("amount")) else { throw .member("approved") }
        self.init(
            id: id, type: type, approvedMinorUnits: approved, targetTransactionID: try reader.target(of: type),
            gatewayCode: try reader.element("gatewayCode"))
    }
}

extension RecordReader {
    fileprivate func particulars(beside bytes: [UInt8]?) throws(RecordFault) -> JSONValue {
        guard let bytes else { return try value("particulars") }
        guard let document = try? JSONDocument(bytes, limits: RecordFormat.limits) else { throw .member("particulars") }
        return document.root.value
    }

    fileprivate func approvedMinorUnits(of amount: Amount, _ order: Order) throws(RecordFault) -> Int64 {
        let approved = format == 1 ? order.totals.authorizedMinorUnits : try count("approved")
        guard approved <= amount.minorUnits else { throw .member("approved") }
        return approved
    }

    /// Reads a sealed value in base64.
    fileprivate func sealedIfPresent(_ name: String) throws(RecordFault) -> [UInt8]? {
        guard let text = try stringIfPresent(name) else { return nil }
        guard let sealed = Base64.decoded(text) else { throw .member(name) }
        return sealed
    }

    fileprivate func target(of type: TransactionType) throws(RecordFault) -> TransactionID? {
        guard let text = try stringIfPresent("target") else {
            guard !type.needsTarget else { throw .member("target") }
            return nil
        }
        guard let target = try? TransactionID(recorded: text) else { throw .member("target") }
        return target
    }
}

extension AcquirerRecord {
    fileprivate func write(to record: inout JSONWriter) {
        record.beginObject()
        if let addressVerification {
            record.member("addressVerification")
            addressVerification.write(to: &record)
        }
        record.member("batch", Int64(batch))
        record.member("category", merchantCategoryCode)
        record.member("code", code)
        record.member("date", date)
        record.member("id", id)
        record.member("merchant", merchantID)
        record.member("message", message)
        if let apiCodes {
            record.member("radial")
            record.write(.object(apiCodes))
        }
        if let cardSecurityCode {
            record.member("securityCode")
            cardSecurityCode.write(to: &record)
        }
        record.member("terminal", terminal)
        record.member("transaction", transactionID)
        record.endObject()
    }

    fileprivate init(_ reader: RecordReader) throws(RecordFault) {
        self.init(
            id: try reader.string("id"), merchantID: try reader.string("merchant"),
            terminal: try reader.string("terminal"), merchantCategoryCode: try reader.string("category"),
            batch: Int(try reader.count("batch")), date: try reader.string("date"),
            transactionID: try reader.stringIfPresent("transaction"), code: try reader.stringIfPresent("code"),
            message: try reader.stringIfPresent("message"),
            cardSecurityCode: try reader.objectIfPresent("securityCode").map { (result) throws(RecordFault) in
                try CardSecurityCodeResult(result)
            },
            addressVerification: try reader.objectIfPresent("addressVerification").map {
                (result) throws(RecordFault) in try AddressVerificationResult(result)
            },
            apiCodes: try reader.apiCodes)
    }
}

extension RecordReader {
    /// The codes of the transaction's API. The member's name is historical: Radial's was the first API with such codes.
    fileprivate var apiCodes: JSONObject? {
        get throws(RecordFault) {
            guard try objectIfPresent("radial") != nil else { return nil }
            guard case .object(let codes) = try value("radial") else { throw .member("radial") }
            return codes
        }
    }
}

extension VerificationResult {
    fileprivate func write(to record: inout JSONWriter) {
        record.beginObject()
        record.member("code", acquirerCode)
        record.member("gatewayCode", gatewayCode.rawValue)
        record.endObject()
    }

    fileprivate init(_ reader: RecordReader) throws(RecordFault) {
        self.init(gatewayCode: try reader.element("gatewayCode"), acquirerCode: try reader.string("code"))
    }
}

extension AuthorizationResponse {
    fileprivate func write(to record: inout JSONWriter) {
        record.beginObject()
        record.member("code", responseCode)
        record.member("date", date)
        record.member("posData", constants.posData)
        record.member("posEntryMode", constants.posEntryMode)
        record.member("processingCode", constants.processingCode)
        record.member("scheme")
        constants.scheme.write(to: &record)
        record.member("stan", stan)
        record.member("time", time)
        record.member("transaction", transactionIdentifier)
        record.endObject()
    }

    fileprivate init(_ reader: RecordReader) throws(RecordFault) {
        self.init(
            responseCode: try reader.string("code"), date: try reader.string("date"), time: try reader.string("time"),
            stan: try reader.string("stan"), transactionIdentifier: try reader.string("transaction"),
            constants: AuthorizationConstants(
                posData: try reader.string("posData"), posEntryMode: try reader.string("posEntryMode"),
                processingCode: try reader.string("processingCode"),
                scheme: try SchemeConstants(try reader.object("scheme"))))
    }
}

extension SchemeConstants {
    fileprivate func write(to record: inout JSONWriter) {
        record.beginObject()
        record.member("cardLevelIndicator", cardLevelIndicator)
        record.member("commercialCard", commercialCard)
        record.member("commercialCardIndicator", commercialCardIndicator)
        record.member("financialNetworkCode", financialNetworkCode)
        record.member("marketSpecificData", marketSpecificData)
        record.member("returnAci", returnAci)
        record.member("transactionIntegrityClass", transactionIntegrityClass)
        record.member("validationCode", validationCode)
        record.endObject()
    }

    fileprivate init(_ reader: RecordReader) throws(RecordFault) {
        self.init(
            cardLevelIndicator: try reader.stringIfPresent("cardLevelIndicator"),
            commercialCard: try reader.stringIfPresent("commercialCard"),
            commercialCardIndicator: try reader.stringIfPresent("commercialCardIndicator"),
            financialNetworkCode: try reader.stringIfPresent("financialNetworkCode"),
            marketSpecificData: try reader.stringIfPresent("marketSpecificData"),
            returnAci: try reader.stringIfPresent("returnAci"),
            transactionIntegrityClass: try reader.stringIfPresent("transactionIntegrityClass"),
            validationCode: try reader.stringIfPresent("validationCode"))
    }
}

extension CardSummary {
    fileprivate func write(to record: inout JSONWriter) {
        record.beginObject()
        record.member("accountToken", accountToken)
        record.member("brand", brand.rawValue)
        if let device {
            record.member("device")
            device.write(to: &record)
        }
        record.member("expiry", expiry)
        record.member("fundingMethod", fundingMethod.rawValue)
        record.member("issuer", issuer)
        record.member("number", number)
        record.member("sealed", sealedNumbers.map(Base64.encoded))
        record.member("sealedName", sealedName.map(Base64.encoded))
        record.member("storedOnFile", storedOnFile.rawValue)
        record.endObject()
    }

    fileprivate init(_ reader: RecordReader) throws(RecordFault) {
        self.init(
            brand: try reader.element("brand"), fundingMethod: try reader.element("fundingMethod"),
            storedOnFile: try reader.element("storedOnFile"), number: try reader.stringIfPresent("number"),
            expiry: try reader.expiryIfPresent("expiry"),
            device: try reader.objectIfPresent("device").map { (device) throws(RecordFault) in
                try DeviceCardSummary(device)
            },
            sealedNumbers: try reader.sealedIfPresent("sealed"),
            sealedName: try reader.sealedIfPresent("sealedName"), issuer: try reader.stringIfPresent("issuer"),
            accountToken: try reader.stringIfPresent("accountToken"))
    }
}

extension DeviceCardSummary {
    fileprivate func write(to record: inout JSONWriter) {
        record.beginObject()
        record.member("cryptogramFormat", cryptogramFormat.rawValue)
        record.member("expiry", expiry)
        record.member("number", number)
        record.endObject()
    }

    fileprivate init(_ reader: RecordReader) throws(RecordFault) {
        self.init(
            number: try reader.string("number"), expiry: try reader.expiry("expiry"),
            cryptogramFormat: try reader.element("cryptogramFormat"))
    }
}
