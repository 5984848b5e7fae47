internal import HTTP
internal import Access

/// A parsed path of the API under `/v{M}.{m}/stores/{storeId}/payments`.
struct RadialRoute: Equatable {
    /// The requested operation, with the path's tender type as it was sent.
    enum Operation: Equatable {
        case creditCardAuth(tender: String)
        case authCancel(tender: String)
        case settlement(tender: String)
        case confirmFunds(tender: String)
        case protectPan
        case tenderTypeLookup
        case decryptBlob
    }

    let storeID: String
    let operation: Operation

    /// Parses a path. Throws if it is not one of this API's.
    init(_ path: String) throws(Fault) {
        let segments: [String]
        do throws(PathSegments.Malformed) { segments = try PathSegments(path).segments } catch {
            throw .unknownResource
        }
        guard segments.count >= 5, Self.isVersion(segments[0]), segments[1] == "stores", segments[3] == "payments"
        else {
            throw .unknownResource
        }
        storeID = segments[2]
        let service = segments[4...].joined(separator: "/")
        // The documentation gives only this service no suffix.
        if service == "decryptblob" || service == "decryptblob.xml" {
            operation = .decryptBlob
            return
        }
        let suffix = ".xml"
        guard service.hasSuffix(suffix), segments.count <= 7 else { throw .unknownResource }
        let names = segments[4...].dropLast() + [String((segments.last ?? "").dropLast(suffix.count))]
        let tender = names.last ?? ""
        switch (Array(names.prefix(2)), names.count) {
        case (["creditcard", "auth"], 3): operation = .creditCardAuth(tender: tender)
        case (["auth", "cancel"], 3): operation = .authCancel(tender: tender)
        case (["settlement", "create"], 3): operation = .settlement(tender: tender)
        case (["funds", "confirm"], 3): operation = .confirmFunds(tender: tender)
        case (["pan", "protect"], 2), (["pan", "protect"], 3): operation = .protectPan
        case (["tendertype", "lookup"], 2): operation = .tenderTypeLookup
        default: throw .unknownResource
        }
    }

    /// Whether a path has this API's form, whether or not it can be parsed.
    static func isAddressed(by path: String) -> Bool {
        var segments = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)[
            ...]
        guard segments.popFirst()?.isEmpty == true, let version = segments.popFirst(),
            segments.popFirst()?.elementsEqual("stores".utf8) == true, version.first == UInt8(ascii: "v")
        else { return false }
        // Any version matches, as a client that asks for an unsupported version also expects XML.
        let numbers = version.dropFirst().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return numbers.count == 2
            && numbers.allSatisfy { number in
                !number.isEmpty && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
    }

    /// `v1.` followed by a number. All minor versions use the messages of 1.0.
    private static func isVersion(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst(3)
        return text.hasPrefix("v1.") && (1...3).contains(digits.count)
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

extension RadialRoute.Operation {
    /// The operation's name in logs and metrics.
    var name: RequestOperation {
        switch self {
        case .creditCardAuth: .creditCardAuth
        case .authCancel: .authCancel
        case .settlement: .settlement
        case .confirmFunds: .confirmFunds
        case .protectPan: .protectPan
        case .tenderTypeLookup: .tenderTypeLookup
        case .decryptBlob: .decryptBlob
        }
    }

    /// The root element of the request.
    var requestName: String {
        switch self {
        case .creditCardAuth: "CreditCardAuthRequest"
        case .authCancel: "PaymentAuthCancelRequest"
        case .settlement: "PaymentSettlementRequest"
        case .confirmFunds: "ConfirmFundsRequest"
        case .protectPan: "ProtectPanRequest"
        case .tenderTypeLookup: "TenderTypeLookupRequest"
        case .decryptBlob: "DecryptBlobRequest"
        }
    }
}
