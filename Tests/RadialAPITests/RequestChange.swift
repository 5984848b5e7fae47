/// A change of a card's authorization, and whether a request is left.
struct RequestChange: CustomStringConvertible, Sendable {
    /// The element that is changed, the first of its name, or the first within another one.
    let name: String
    let parent: String?
    /// Its replacement; nil if it is left out.
    let replacement: String?
    let isAccepted: Bool

    var description: String { "\(parent ?? "")/\(name): \(replacement ?? "absent")" }

    /// Every change that is tried.
    static let all: [RequestChange] =
        optional + required + lengths(in: "BillingAddress") + lengths(in: "ShippingAddress") + forms
        + texts("Amount", attributes: " currencyCode='USD'", ["14.99", "15", "0.01", "15.0", "00015.00"], true)
        + texts(
            "Amount", attributes: " currencyCode='USD'",
            ["14.999", "-1", "+1", "1,00", "1e1", "", ".5", "5.", "0x1", "1 2", "NaN"], false)
        + ["usd", "US", "USDX", "", "840"].flatMap {
            texts("Amount", attributes: " currencyCode='\($0)'", ["14.99"], false)
        }
        + texts(
            "ExpirationDate", ["2039-1", "2039", "2039-13", "2039-00", "39-01", "2039-01-01", "01/39", ""], false)
        + texts("CardSecurityCode", ["", "100", "1000"], true)
        + texts("CardSecurityCode", ["10", "10000", "1a0", "1 0"], false)
        + texts("CustomerIPAddress", ["208.247.73.130", "0.0.0.0", "255.255.255.255"], true)
        + texts(
            "CustomerIPAddress",
            ["1.2.3", "1.2.3.4.5", "256.1.1.1", "::1", "1.2.3.x", "", "1..2.3", "1.2.3.4/8", "localhost"], false)
        + texts("SchemaVersion", ["1", "1.2.3", "01.20"], true)
        + texts("SchemaVersion", ["1.", ".1", "1.x", "", "1..2", "-1"], false)
        + texts("isRequestToCorrectCVVOrAVSError", ["1", "0", "true", "false"], true)
        + texts("isRequestToCorrectCVVOrAVSError", ["yes", "TRUE", "", "2"], false)

    private static let optional: [RequestChange] =
        ["ShipToPhoneNo", "SchemaVersion", "CardSecurityCode", "isRequestToCorrectCVVOrAVSError"]
        .map { RequestChange(name: $0, parent: nil, replacement: nil, isAccepted: true) }
        + ["Line2", "Line3", "Line4", "MainDivision", "PostalCode"].flatMap { name in
            ["BillingAddress", "ShippingAddress"]
                .map { RequestChange(name: name, parent: $0, replacement: nil, isAccepted: true) }
        }

    private static let required: [RequestChange] =
        [
            "BillingFirstName", "BillingLastName", "BillingPhoneNo", "BillingAddress", "CustomerEmail",
            "CustomerIPAddress", "ShipToFirstName", "ShipToLastName", "ShippingAddress", "PaymentContext", "OrderId",
            "PaymentAccountUniqueId", "ExpirationDate", "Amount",
        ].map { RequestChange(name: $0, parent: nil, replacement: nil, isAccepted: false) }
        + ["Line1", "City", "CountryCode"].flatMap { name in
            ["BillingAddress", "ShippingAddress"]
                .map { RequestChange(name: name, parent: $0, replacement: nil, isAccepted: false) }
        }

    /// Texts as long as may be, too long, empty and blank.
    private static func lengths(in parent: String?, of lengths: [(String, Int)]) -> [RequestChange] {
        lengths.flatMap { name, max in
            func change(_ text: String, _ isAccepted: Bool) -> RequestChange {
                RequestChange(
                    name: name, parent: parent, replacement: "<\(name)>\(text)</\(name)>", isAccepted: isAccepted)
            }
            return [
                change(String(repeating: "é", count: max), true), change(String(repeating: "é", count: max + 1), false),
                change("", false), change(" \n ", false), change("<b/>", false),
            ]
        }
    }

    private static func lengths(in address: String) -> [RequestChange] {
        lengths(
            in: address,
            of: [
                ("Line1", 70), ("Line2", 70), ("Line3", 70), ("Line4", 70), ("City", 40), ("MainDivision", 35),
                ("CountryCode", 40), ("PostalCode", 15),
            ])
    }

    private static let forms: [RequestChange] =
        lengths(in: nil, of: [("CustomerEmail", 70), ("OrderId", 20)])
        + texts("CountryCode", ["U"], false) + texts("BillingFirstName", ["a\u{A0}b", " a ", "&lt;a&gt;"], true)
        + texts("BillingFirstName", attributes: " lang='en'", ["a"], false)
        + texts("BillingFirstName", attributes: " xmlns=''", ["a"], false)
        + texts("BillingFirstName", [""], false)
        + [
            RequestChange(
                name: "BillingFirstName", parent: nil, replacement: "<billingFirstName>a</billingFirstName>",
                isAccepted: false),
            RequestChange(
                name: "ShipToPhoneNo", parent: nil,
                replacement: "<ShipToPhoneNo>1</ShipToPhoneNo><ShipToPhoneNo>1</ShipToPhoneNo>", isAccepted: false),
            RequestChange(name: "ShipToPhoneNo", parent: nil, replacement: "<Other>1</Other>", isAccepted: false),
            RequestChange(name: "Amount", parent: nil, replacement: "<Amount>14.99</Amount>", isAccepted: false),
        ]

    private static func texts(
        _ name: String, attributes: String = "", _ texts: [String], _ isAccepted: Bool
    ) -> [RequestChange] {
        texts.map { text in
            RequestChange(
                name: name, parent: nil, replacement: "<\(name)\(attributes)>\(text)</\(name)>", isAccepted: isAccepted)
        }
    }
}
