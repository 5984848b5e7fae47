internal import JSON
internal import Payments
internal import XML

/// The payer and the shipping address: everything in a `CreditCardAuthRequest` but the means of payment.
struct PayerInformation {
    /// The elements that are read.
    static let names: Set = [
        "BillingFirstName", "BillingLastName", "BillingPhoneNo", "BillingAddress", "CustomerEmail",
        "CustomerIPAddress", "ShipToFirstName", "ShipToLastName", "ShipToPhoneNo", "ShippingAddress",
    ]

    /// The same data in the format of Mastercard's API, for its retrievals. Strings are masked, and those that exceed the
    /// field sizes of that API are omitted.
    let particulars: JSONObject

    /// Reads the elements.
    init(_ fields: ElementFields) throws(Fault) {
        let firstName = try fields.required("BillingFirstName", .notBlank)
        let lastName = try fields.required("BillingLastName", .notBlank)
        let phone = try fields.required("BillingPhoneNo", .notBlank)
        let billing = try PostalAddress(try fields.required("BillingAddress"))
        let email = try fields.required("CustomerEmail", .length(1...70))
        let ipAddress = try fields.required("CustomerIPAddress", .ipv4Address)
        let shipToFirstName = try fields.required("ShipToFirstName", .notBlank)
        let shipToLastName = try fields.required("ShipToLastName", .notBlank)
        let shipToPhone = try fields.optional("ShipToPhoneNo", .notBlank)
        let shipping = try PostalAddress(try fields.required("ShippingAddress"))
        particulars = [
            "billing": ["address": billing.particulars],
            "customer": Self.person(firstName, lastName, phone, email: email),
            "device": ["ipAddress": .string(ipAddress)],
            "shipping": [
                "address": shipping.particulars,
                "contact": Self.person(shipToFirstName, shipToLastName, shipToPhone, email: nil),
            ],
        ]
    }

    private static func person(_ firstName: String, _ lastName: String, _ phone: String?, email: String?) -> JSONValue {
        var person = JSONObject()
        person.set("email", email, charactersMax: 256)
        person.set("firstName", firstName, charactersMax: 50)
        person.set("lastName", lastName, charactersMax: 50)
        person.set("phone", phone, charactersMax: 20)
        return .object(person)
    }
}

/// `BillingAddress` or `ShippingAddress`.
struct PostalAddress {
    /// The same address in the format of Mastercard's API.
    let particulars: JSONValue

    /// Reads an address. A blank address line is refused, as the documentation requires.
    init(_ element: XMLElement) throws(Fault) {
        let lines = ["Line1", "Line2", "Line3", "Line4"]
        let fields = try ElementFields(
            element, known: Set(lines + ["City", "MainDivision", "CountryCode", "PostalCode"]))
        var address = JSONObject()
        let street = try fields.required("Line1", .length(1...70))
        var further: [String] = []
        for line in lines.dropFirst() {
            if let text = try fields.optional(line, .length(1...70)) { further.append(text) }
        }
        let city = try fields.required("City", .length(1...40))
        let division = try fields.optional("MainDivision", .length(1...35))
        let country = try fields.required("CountryCode", .length(2...40))
        let postcode = try fields.optional("PostalCode", .length(1...15))
        address.set("city", city, charactersMax: 100)
        // The other API uses three-letter country codes, so only such a code is passed on.
        if country.utf8.count == 3, country.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) {
            address.set("country", country, charactersMax: 3)
        }
        address.set("postcodeZip", postcode, charactersMax: 10)
        address.set("stateProvince", division, charactersMax: 20)
        address.set("street", ([street] + further).joined(separator: ", "), charactersMax: 100)
        particulars = .object(address)
    }
}

extension JSONObject {
    /// Adds a string, masked, unless it is nil or longer than the field allows.
    fileprivate mutating func set(_ name: String, _ text: String?, charactersMax: Int) {
        guard let text, text.unicodeScalars.count <= charactersMax else { return }
        self[name] = .string(text.maskingAccountNumbers())
    }
}
