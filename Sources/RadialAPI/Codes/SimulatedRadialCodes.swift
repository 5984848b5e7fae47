public import JSON
public import Payments

/// The Radial codes of one row of the simulator's table.
public struct SimulatedRadialOutcome: Equatable, SimulatedRowCodes {
    /// `ResponseCode`.
    public let responseCode: RadialCodes.ResponseCode
    /// `AuthorizationResponseCode`.
    public let authorizationResponseCode: String
    /// `CVV2ResponseCode`; nil if the card determines it.
    public let cvv2ResponseCode: String?
    /// `AVSResponseCode`; nil if the card determines it.
    public let avsResponseCode: String?

    /// Creates codes, which the caller must check with ``contradicts(_:)``.
    public init(
        _ responseCode: RadialCodes.ResponseCode, _ authorizationResponseCode: String,
        cvv2ResponseCode: String? = nil, avsResponseCode: String? = nil
    ) {
        self.responseCode = responseCode
        self.authorizationResponseCode = authorizationResponseCode
        self.cvv2ResponseCode = cvv2ResponseCode
        self.avsResponseCode = avsResponseCode
    }

    /// The default codes of an outcome whose row specifies none.
    ///
    /// - Source: the meaning of the codes; the mapping itself is our choice.
    public init(_ gatewayCode: GatewayCode) {
        switch gatewayCode {
        case .approved, .partiallyApproved: self.init(.approved, "AP01")
        case .insufficientFunds: self.init(.declinedFunds, "ND02")
        case .expiredCard: self.init(.declined, "NR09")
        case .declinedAVS: self.init(.avs, "AP01", avsResponseCode: "N")
        case .declinedCSC, .invalidCSC: self.init(.csc, "AP01", cvv2ResponseCode: "N")
        case .declinedAVSCSC: self.init(.avsCSC, "AP01", cvv2ResponseCode: "N", avsResponseCode: "N")
        case .declinedInvalidPIN: self.init(.declined, "NR10")
        case .referred: self.init(.declined, "NR02")
        case .exceededRetryLimit: self.init(.declined, "ND08")
        case .notSupported: self.init(.declined, "ND03")
        case .blocked: self.init(.declinedRestricted, "NR11")
        case .declinedDoNotContact: self.init(.declinedRestricted, "NC01")
        case .timedOut, .unknown, .pending, .submitted: self.init(.timeout, "TO01")
        case .acquirerSystemError: self.init(.declined, "NR03")
        case .systemError, .unspecifiedFailure: self.init(.declined, "NR12")
        case .aborted, .cancelled, .declined, .declinedPINRequired: self.init(.declined, "ND01")
        }
    }

    /// Whether the codes contradict each other or the outcome. An approval needs `AP01` with `APPROVED` or
    /// `AcceptOrderWithException`; any other outcome must have neither `AP01` nor these response codes. Each code must be
    /// one that Radial publishes.
    public func contradicts(_ gatewayCode: GatewayCode) -> Bool {
        guard RadialCodes.authorizationResponseCodes.contains(authorizationResponseCode),
            cvv2ResponseCode.map(RadialCodes.cvv2ResponseCodes.contains) ?? true,
            avsResponseCode.map(RadialCodes.isAVSResponseCode) ?? true
        else { return true }
        let isApproved = authorizationResponseCode == "AP01"
        switch responseCode {
        case .approved, .acceptOrderWithException: return !isApproved || !gatewayCode.isApproval
        case .avs, .csc, .avsCSC, .declined, .declinedFunds, .declinedRestricted, .timeout:
            return gatewayCode.isApproval
        }
    }
}

/// The Radial codes that depend on the card, not on the outcome.
public struct SimulatedRadialChecks: Equatable, SimulatedAPICodes {
    /// The codes of a wallet's payment.
    public let wallet: (cvv2: String, avs: String)
    /// The codes of a plain card with a security code, if no other rule applies.
    public let card: (cvv2: String, avs: String)
    /// `CVV2ResponseCode` of a plain card without a security code.
    public let cvv2WithoutSecurityCode: String
    /// The codes of an American Express card: `AVSResponseCode` of a plain one, and the payer's results.
    public let americanExpress: (avs: String, payer: RadialPayerCodes)

    /// Creates the codes of each kind of card. The defaults for wallets are those of the documented reply; the other
    /// defaults are our choice.
    public init(
        wallet: (cvv2: String, avs: String) = ("0", "E"), card: (cvv2: String, avs: String) = ("M", "Y"),
        cvv2WithoutSecurityCode: String = "P",
        americanExpress: (avs: String, payer: RadialPayerCodes) = (
            "AM", RadialPayerCodes(phone: "Y", name: "Y", email: "Y")
        )
    ) {
        self.wallet = wallet
        self.card = card
        self.cvv2WithoutSecurityCode = cvv2WithoutSecurityCode
        self.americanExpress = americanExpress
    }

    /// Returns the codes of an outcome for a card. The simulator's table may list a result for the card's security code.
    func codes(
        of outcome: SimulatedRadialOutcome, _ card: Card, _ brand: CardBrand, _ securityCode: CardSecurityCodeResult?
    ) -> RadialCodes {
        let isWallet = card.devicePayment != nil
        let isAmericanExpress = brand == .amex
        let cvv2 =
            isWallet
            ? wallet.cvv2
            : securityCode?.acquirerCode ?? (card.securityCode == nil ? cvv2WithoutSecurityCode : self.card.cvv2)
        let avs = isWallet ? wallet.avs : isAmericanExpress ? americanExpress.avs : self.card.avs
        return RadialCodes(
            responseCode: outcome.responseCode, authorizationResponseCode: outcome.authorizationResponseCode,
            cvv2ResponseCode: outcome.cvv2ResponseCode ?? cvv2, avsResponseCode: outcome.avsResponseCode ?? avs,
            payer: isAmericanExpress ? americanExpress.payer : nil)
    }

    /// Returns the codes of an outcome for the means of payment of a request to this API.
    public func codes(
        of outcome: GatewayCode, row: (any SimulatedRowCodes)?, for command: AcquirerCommand,
        securityCode: CardSecurityCodeResult?
    ) -> JSONObject? {
        guard command.api == .radial, let card = command.card else { return nil }
        let own = row as? SimulatedRadialOutcome ?? SimulatedRadialOutcome(outcome)
        return codes(of: own, card, command.brand, securityCode).object
    }

    /// Compares all codes.
    public static func == (one: SimulatedRadialChecks, other: SimulatedRadialChecks) -> Bool {
        one.wallet == other.wallet && one.card == other.card
            && one.cvv2WithoutSecurityCode == other.cvv2WithoutSecurityCode
            && one.americanExpress == other.americanExpress
    }
}
