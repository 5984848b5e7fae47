import Payments

extension SimulatorFile {
    /// The result for security codes that `cards` doesn't list, if the file has one.
    static func otherSecurityCodes(_ cards: YAMLMapping) throws -> CardSecurityCodeResult? {
        guard let row = try cards.nested("otherSecurityCodes", keys: ["gatewayCode", "acquirerCode"]) else {
            return nil
        }
        return CardSecurityCodeResult(
            gatewayCode: try row.required("gatewayCode"), acquirerCode: try row.requiredString("acquirerCode"))
    }

    /// The issuers of plain cards, by the leading digits (BIN) of the account number.
    static func issuers(_ cards: YAMLMapping) throws -> [String: String] {
        var issuers: [String: String] = [:]
        for row in try cards.mappings("issuers", keys: ["bin", "issuer"]) {
            let bin = try row.requiredString("bin")
            guard (1...6).contains(bin.utf8.count), bin.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw row.failure("bin", "expected one to six digits")
            }
            let issuer = try row.requiredString("issuer")
            guard (1...255).contains(issuer.unicodeScalars.count) else {
                throw row.failure("issuer", "expected 1 to 255 characters")
            }
            guard issuers.updateValue(issuer, forKey: bin) == nil else {
                throw row.failure("bin", "\(bin) has a row already")
            }
        }
        return issuers
    }

    /// The results of address verification, by the street of the billing address in lower case.
    static func streets(_ file: YAMLMapping) throws -> [String: AddressVerificationResult] {
        var streets: [String: AddressVerificationResult] = [:]
        for row in try file.mappings("billingStreets", keys: ["street", "gatewayCode", "acquirerCode"]) {
            let street = try row.requiredString("street")
            guard (1...100).contains(street.unicodeScalars.count) else {
                throw row.failure("street", "expected 1 to 100 characters")
            }
            let result = AddressVerificationResult(
                gatewayCode: try row.required("gatewayCode"), acquirerCode: try row.requiredString("acquirerCode"))
            guard streets.updateValue(result, forKey: street.lowercased()) == nil else {
                throw row.failure("street", "\(street) has a row already")
            }
        }
        return streets
    }
}
