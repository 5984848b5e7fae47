internal import HTTP
internal import Access

/// A path of the API under `/v{M}.{m}/stores/{storeId}/payments`, understood.
struct RadialRoute: Equatable {
    /// What is asked for, with the tender of the path as it was sent.
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

    /// Understands a path, or nothing if it is none of this API's.
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
        // Of this one alone the documentation has no suffix.
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

    /// Whether a path is one of this API's, or would be if it were understood.
    static func isAddressed(by path: String) -> Bool {
        var segments = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)[
            ...]
        guard segments.popFirst()?.isEmpty == true, let version = segments.popFirst(),
            segments.popFirst()?.elementsEqual("stores".utf8) == true, version.first == UInt8(ascii: "v")
        else { return false }
        // Of every version, as whoever asks for one that is not served expects XML, too.
        let numbers = version.dropFirst().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return numbers.count == 2
            && numbers.allSatisfy { number in
                !number.isEmpty && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
    }

    /// `v1.` with a number behind it: whatever the minor version, the messages are those of 1.0.
    private static func isVersion(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst(3)
        return text.hasPrefix("v1.") && (1...3).contains(digits.count)
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

extension RadialRoute.Operation {
    /// By which logs and metrics know the operation.
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
