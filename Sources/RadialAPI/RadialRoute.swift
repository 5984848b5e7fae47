internal import HTTP

/// A parsed path of the API under `/v{M}.{m}/stores/{storeId}/payments`.
struct RadialRoute {
    let storeID: String
    let service: RadialService
    /// The tender type as it was sent; empty if the path has none.
    let tender: String

    /// Parses a path. Throws if it is not one of this API's.
    init(_ path: String) throws(Fault) {
        let segments: [String]
        do throws(PathSegments.Malformed) { segments = try PathSegments(path).segments } catch {
            throw .unknownResource
        }
        guard segments.count >= 5, Self.isVersion(segments[0]), segments[1] == "stores", segments[3] == "payments",
            let last = segments.last
        else {
            throw .unknownResource
        }
        storeID = segments[2]
        let suffix = ".xml"
        let hasSuffix = last.hasSuffix(suffix)
        let names = segments[4...].dropLast() + [hasSuffix ? String(last.dropLast(suffix.count)) : last]
        for service in RadialService.all where hasSuffix || service.isSuffixOptional {
            guard let tender = service.tender(in: Array(names)) else { continue }
            self.service = service
            self.tender = tender
            return
        }
        throw .unknownResource
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
