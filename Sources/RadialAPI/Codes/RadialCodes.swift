/// The outcome of an authorization in Radial's codes, as `CreditCardAuthReply` gives it.
///
/// - Source: Radial's documentation of `CreditCardAuthReply` and its published tables of response codes.
public struct RadialCodes: Equatable, Sendable {
    /// `ResponseCode`: the action recommended to the web store.
    public enum ResponseCode: String, CaseIterable, Sendable {
        /// Accept the order.
        case approved = "APPROVED"
        /// Request the address from the shopper again.
        case avs = "AVS"
        /// Request the card security code from the shopper again.
        case csc = "CSC"
        /// Request both the address and the card security code again.
        case avsCSC = "AVSCSC"
        /// Declined; request another card.
        case declined = "DECL"
        /// Declined for lack of funds or credit.
        case declinedFunds = "DECLF"
        /// Declined; the card was lost or stolen.
        case declinedRestricted = "DECLR"
        /// The issuer did not answer in time; accept the order and authorize it again later.
        case timeout = "TIMEOUT"
        /// Accept the order, and review it manually.
        case acceptOrderWithException = "AcceptOrderWithException"
    }

    /// `ResponseCode`.
    public let responseCode: ResponseCode
    /// `AuthorizationResponseCode`: `AP01`, `ND01` and so on, one of ``authorizationResponseCodes``.
    public let authorizationResponseCode: String
    /// `CVV2ResponseCode`, one of ``cvv2ResponseCodes``.
    public let cvv2ResponseCode: String
    /// `AVSResponseCode`, one or two characters.
    public let avsResponseCode: String
    /// American Express's results for the payer; nil for every other card.
    public let payer: RadialPayerCodes?

    /// Creates codes, which the caller has validated.
    public init(
        responseCode: ResponseCode, authorizationResponseCode: String, cvv2ResponseCode: String,
        avsResponseCode: String, payer: RadialPayerCodes? = nil
    ) {
        self.responseCode = responseCode
        self.authorizationResponseCode = authorizationResponseCode
        self.cvv2ResponseCode = cvv2ResponseCode
        self.avsResponseCode = avsResponseCode
        self.payer = payer
    }

    /// Every published `AuthorizationResponseCode`; `ND11` does not exist.
    public static let authorizationResponseCodes: Set<String> = {
        func codes(_ prefix: String, _ numbers: [Int]) -> [String] {
            numbers.map { prefix + ($0 < 10 ? "0" : "") + String($0) }
        }
        return Set(
            codes("AP", [1]) + codes("ND", Array(1...10) + Array(12...17) + [99]) + codes("NC", [1, 2, 3, 4, 99])
                + codes("NR", Array(1...21) + [99]) + codes("NS", [99]) + codes("TO", [1]))
    }()

    /// Every `CVV2ResponseCode`.
    public static let cvv2ResponseCodes: Set<String> = ["0", "M", "N", "P", "S", "T", "U", "X"]

    /// Whether a string has the form of an `AVSResponseCode`: a capital letter, or for American Express `A` followed by a
    /// capital letter.
    public static func isAVSResponseCode(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else { return false }
        return bytes.count == 1 || (bytes.count == 2 && bytes[0] == UInt8(ascii: "A"))
    }
}

/// American Express's verification results for the payer.
public struct RadialPayerCodes: Equatable, Sendable {
    /// `PhoneResponseCode`.
    public let phone: String
    /// `NameResponseCode`.
    public let name: String
    /// `EmailResponseCode`.
    public let email: String

    /// Creates the results from the three codes.
    public init(phone: String, name: String, email: String) {
        self.phone = phone
        self.name = name
        self.email = email
    }
}
