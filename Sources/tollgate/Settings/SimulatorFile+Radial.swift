import Payments
import RadialAPI

extension SimulatedRadialOutcome {
    /// Reads the codes of a row; nil if they follow from its gateway code.
    init?(_ row: YAMLMapping, of gatewayCode: GatewayCode) throws {
        let keys = ["responseCode", "authorizationResponseCode", "cvv2ResponseCode", "avsResponseCode"]
        guard let radial = try row.nested("radial", keys: keys) else { return nil }
        self.init(
            try radial.required("responseCode"), try radial.requiredString("authorizationResponseCode"),
            cvv2ResponseCode: try radial.string("cvv2ResponseCode"),
            avsResponseCode: try radial.string("avsResponseCode"))
        guard !contradicts(gatewayCode) else {
            throw row.failure(
                "gatewayCode",
                "its radial codes are not all among those that Radial publishes, or contradict it: an approval has AP01 "
                    + "with APPROVED or AcceptOrderWithException, and nothing else has")
        }
    }
}

extension SimulatedRadialChecks {
    /// Reads the codes that depend on the card. Without `radial`, the codes of the shipped file apply.
    init(_ file: YAMLMapping) throws {
        guard
            let radial = try file.nested(
                "radial", keys: ["wallet", "card", "cardWithoutSecurityCode", "americanExpress"])
        else {
            self.init()
            return
        }
        let names = ["cvv2ResponseCode", "avsResponseCode"]
        let wallet = try radial.requiredNested("wallet", keys: names)
        let card = try radial.requiredNested("card", keys: names)
        let plain = try radial.requiredNested("cardWithoutSecurityCode", keys: ["cvv2ResponseCode"])
        let american = try radial.requiredNested(
            "americanExpress",
            keys: ["avsResponseCode", "phoneResponseCode", "nameResponseCode", "emailResponseCode"])
        self.init(
            wallet: (try wallet.cvv2(), try wallet.avs()), card: (try card.cvv2(), try card.avs()),
            cvv2WithoutSecurityCode: try plain.cvv2(),
            americanExpress: (
                try american.avs(),
                RadialPayerCodes(
                    phone: try american.requiredString("phoneResponseCode"),
                    name: try american.requiredString("nameResponseCode"),
                    email: try american.requiredString("emailResponseCode"))
            ))
    }
}

extension YAMLMapping {
    fileprivate func cvv2() throws -> String {
        let code = try requiredString("cvv2ResponseCode")
        guard RadialCodes.cvv2ResponseCodes.contains(code) else {
            let known = RadialCodes.cvv2ResponseCodes.sorted().joined(separator: ", ")
            throw failure("cvv2ResponseCode", "\(code) is none of: \(known)")
        }
        return code
    }

    fileprivate func avs() throws -> String {
        let code = try requiredString("avsResponseCode")
        guard RadialCodes.isAVSResponseCode(code) else {
            throw failure("avsResponseCode", "\(code) is no AVS code: a capital letter, or A and one more")
        }
        return code
    }
}
