extension PaymentFields {
    /// The payer, the billing address, the device and the shipping address.
    static let payer: [RequestFields.Row] =
        person("customer") + identification("customer.identification") + [
            .echoed("customer.account.id", .text(1...100)),
            .echoed("customer.dateOfBirth", .pattern(10...10, .date)),
            .echoed("customer.nationalId", .text(1...50)),
            .echoed("customer.taxRegistrationId", .text(1...30)),
            // Recorded in replies of version 22.
            .echoed("billing.phone", .text(1...20)),
            .echoed("shipping.address.sameAsBilling", .enumeration(["DIFFERENT", "SAME", "UNKNOWN"])),
            // ActiveMerchant's name for the country of a shipping address.
            .taken("shipping.address.shipcountry", .pattern(3...3, .alphabeticCode)),
            .echoed("shipping.address.source", .enumeration(["ADDRESS_ON_FILE", "NEW_ADDRESS"])),
            .echoed(
                "shipping.method",
                .enumeration([
                    "ELECTRONIC", "GROUND", "NOT_SHIPPED", "OVERNIGHT", "PICKUP", "PRIORITY", "SAME_DAY",
                ])),
            .echoed("shipping.origin.postcodeZip", .pattern(1...10, .postcode)),
        ] + joinedAddress("billing.address") + joinedAddress("shipping.address") + person("shipping.contact")
        + person("shipping") + device

    private static let device: [RequestFields.Row] = [
        .echoed("device.ani", .text(1...10)),
        .echoed("device.aniCallType", .text(1...2)),
        .echoed("device.browser", .text(1...2048)),
        .echoed("device.browserDetails.3DSecureChallengeWindowSize", .text(1...20)),
        .echoed("device.browserDetails.acceptHeaders", .text(1...2048)),
        .echoed("device.browserDetails.colorDepth", .integer(1...99)),
        .echoed("device.browserDetails.javaEnabled", .boolean),
        .echoed("device.browserDetails.javaScriptEnabled", .boolean),
        .echoed("device.browserDetails.language", .text(1...8)),
        .echoed("device.browserDetails.screenHeight", .integer(1...999_999)),
        .echoed("device.browserDetails.screenWidth", .integer(1...999_999)),
        // Minutes from UTC, negative east of Greenwich.
        .echoed("device.browserDetails.timeZone", .text(1...5)),
        .echoed("device.fingerprint", .text(1...4000)),
        .echoed("device.hostname", .text(1...60)),
        .echoed("device.ipAddress", .pattern(2...45, .ipAddress)),
        .echoed("device.mobilePhoneModel", .text(1...255)),
    ]

    private static func person(_ path: String) -> [RequestFields.Row] {
        [
            .echoed(path + ".email", .pattern(1...256, .email)),
            .echoed(path + ".firstName", .text(1...50)),
            .echoed(path + ".lastName", .text(1...50)),
            .echoed(path + ".middleName", .text(1...50)),
            .echoed(path + ".mobilePhone", .text(1...20)),
            .echoed(path + ".phone", .text(1...20)),
        ]
    }

    private static func identification(_ path: String) -> [RequestFields.Row] {
        [
            .echoed(path + ".country", .pattern(3...3, .alphabeticCode)),
            .echoed(path + ".type", .text(1...50)),
            .echoed(path + ".value", .text(1...50)),
        ]
    }

    /// An address whose second line replies append to the first.
    ///
    /// - Source: Mastercard Gateway REST API v100, `billing.address.street`; the comma is that of a recorded reply.
    private static func joinedAddress(_ path: String) -> [RequestFields.Row] {
        address(path, secondLine: .appended(to: "street", charactersMax: 100)) + [
            .echoed(path + ".stateProvinceCode", .text(1...3))
        ]
    }

    /// An address.
    static func address(_ path: String, secondLine: RequestFields.Echo = .same) -> [RequestFields.Row] {
        [
            .echoed(path + ".city", .text(1...100)),
            .echoed(path + ".company", .text(1...100)),
            .echoed(path + ".country", .pattern(3...3, .alphabeticCode)),
            .echoed(path + ".phone", .text(1...20)),
            .echoed(path + ".postcodeZip", .pattern(1...10, .postcode)),
            .echoed(path + ".stateProvince", .text(1...20)),
            .echoed(path + ".street", .text(1...100)),
            .echoed(path + ".street2", .text(1...100), secondLine),
        ]
    }
}
