internal import ApplePay
internal import JSON

extension Transaction {
    /// The transaction's durable form, the same for every store.
    public var record: [UInt8] {
        var members = JSONObject()
        members.set("format", RecordFormat.current)
        members["acquirer"] = .object(acquirer.recordMembers)
        members.set("amount", amount.minorUnits)
        members.set("approved", approvedMinorUnits)
        members.set("authenticationStatus", authenticationStatus?.rawValue)
        members.set("authorizationCode", references.authorizationCode)
        members["card"] = .object(card.recordMembers)
        members.set("gatewayCode", gatewayCode.rawValue)
        members.set("id", id.text)
        members["order"] = .object(order.recordMembers)
        members["particulars"] = particulars
        members.set("receipt", references.receipt)
        members.set("recommendation", recommendation?.rawValue)
        members["response"] = authorizationResponse.map { .object($0.recordMembers) }
        members.set("result", result.rawValue)
        members.set("source", source.rawValue)
        members.set("stan", references.systemTraceAuditNumber)
        members.set("target", targetTransactionID?.text)
        members.set("time", timeOfRecord.millisecondsSinceEpoch)
        members.set("type", type.rawValue)
        return JSONValue.object(members).serialized()
    }

    /// Reads a transaction's durable form.
    public init(record: [UInt8]) throws(RecordFault) {
        let reader = try RecordReader(record: record)
        guard let id = try? TransactionID(try reader.string("id")) else { throw .member("id") }
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
            particulars: try reader.value("particulars"), order: order)
    }
}

extension RecordReader {
    fileprivate func approvedMinorUnits(of amount: Amount, _ order: Order) throws(RecordFault) -> Int64 {
        let approved = format == 1 ? order.totals.authorizedMinorUnits : try count("approved")
        guard approved <= amount.minorUnits else { throw .member("approved") }
        return approved
    }

    /// A sealed text in base64.
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
        guard let target = try? TransactionID(text) else { throw .member("target") }
        return target
    }
}

extension AcquirerRecord {
    fileprivate var recordMembers: JSONObject {
        var members = JSONObject()
        members.set("batch", batch)
        members.set("category", merchantCategoryCode)
        members.set("code", code)
        members.set("date", date)
        members.set("id", id)
        members.set("merchant", merchantID)
        members.set("message", message)
        members["securityCode"] = cardSecurityCode.map { .object($0.recordMembers) }
        members.set("terminal", terminal)
        members.set("transaction", transactionID)
        return members
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
            })
    }
}

extension CardSecurityCodeResult {
    fileprivate var recordMembers: JSONObject {
        var members = JSONObject()
        members.set("code", acquirerCode)
        members.set("gatewayCode", gatewayCode.rawValue)
        return members
    }

    fileprivate init(_ reader: RecordReader) throws(RecordFault) {
        self.init(gatewayCode: try reader.element("gatewayCode"), acquirerCode: try reader.string("code"))
    }
}

extension AuthorizationResponse {
    fileprivate var recordMembers: JSONObject {
        var members = JSONObject()
        members.set("code", responseCode)
        members.set("date", date)
        members.set("posData", constants.posData)
        members.set("posEntryMode", constants.posEntryMode)
        members.set("processingCode", constants.processingCode)
        members["scheme"] = .object(constants.scheme.recordMembers)
        members.set("stan", stan)
        members.set("time", time)
        members.set("transaction", transactionIdentifier)
        return members
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
    fileprivate var recordMembers: JSONObject {
        var members = JSONObject()
        members.set("cardLevelIndicator", cardLevelIndicator)
        members.set("commercialCard", commercialCard)
        members.set("commercialCardIndicator", commercialCardIndicator)
        members.set("financialNetworkCode", financialNetworkCode)
        members.set("marketSpecificData", marketSpecificData)
        members.set("returnAci", returnAci)
        members.set("transactionIntegrityClass", transactionIntegrityClass)
        members.set("validationCode", validationCode)
        return members
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
    fileprivate var recordMembers: JSONObject {
        var members = JSONObject()
        members.set("brand", brand.rawValue)
        members["device"] = device.map { .object($0.recordMembers) }
        members.set("expiry", expiry)
        members.set("fundingMethod", fundingMethod.rawValue)
        members.set("number", number)
        members.set("sealed", sealedNumbers.map(Base64.encoded))
        members.set("sealedName", sealedName.map(Base64.encoded))
        members.set("storedOnFile", storedOnFile.rawValue)
        return members
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
            sealedName: try reader.sealedIfPresent("sealedName"))
    }
}

extension DeviceCardSummary {
    fileprivate var recordMembers: JSONObject {
        var members = JSONObject()
        members.set("cryptogramFormat", cryptogramFormat.rawValue)
        members.set("expiry", expiry)
        members.set("number", number)
        return members
    }

    fileprivate init(_ reader: RecordReader) throws(RecordFault) {
        self.init(
            number: try reader.string("number"), expiry: try reader.expiry("expiry"),
            cryptogramFormat: try reader.element("cryptogramFormat"))
    }
}
