public import ApplePay
public import ApplePaySandbox
import Values

extension LocalMerchant {
    /// An order of 56.56 US dollars for a token that can have any defect that its version can: EMV with a PIN, for one
    /// submerchant.
    public func orderForDefects() throws -> MintOrder {
        var order = try order()
        order.emvPayment = .init(encryptedPINData: SecretText("0123456789abcdef"))
        order.submerchants = [.init(merchantIdentifier: "one", amountMinorUnits: order.amountMinorUnits)]
        return order
    }

    /// A version whose tokens can have a defect.
    public static func version(for defect: MintDefect) -> TokenVersion {
        defect.requirement == .version(.rsa) ? .rsa : .ellipticCurve
    }
}
