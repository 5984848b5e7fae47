/// `response.cardholderVerification.avs`: the issuer's verification of the billing address.
public typealias AddressVerificationResult = VerificationResult<AddressVerificationVerdict>

/// `gatewayCode` of an address verification.
public enum AddressVerificationVerdict: String, CaseIterable, Sendable {
    /// The street matches.
    case addressMatch = "ADDRESS_MATCH"
    /// Street and postcode match.
    case addressZIPMatch = "ADDRESS_ZIP_MATCH"
    /// Name and street match.
    case nameAddressMatch = "NAME_ADDRESS_MATCH"
    /// The name matches.
    case nameMatch = "NAME_MATCH"
    /// Name and postcode match.
    case nameZIPMatch = "NAME_ZIP_MATCH"
    /// Nothing matches.
    case noMatch = "NO_MATCH"
    /// The issuer has no address on file for the cardholder.
    case notAvailable = "NOT_AVAILABLE"
    /// The acquirer did not request a verification.
    case notRequested = "NOT_REQUESTED"
    /// The issuer did not verify the address.
    case notVerified = "NOT_VERIFIED"
    /// The issuer's verification is temporarily unavailable.
    case serviceNotAvailableRetry = "SERVICE_NOT_AVAILABLE_RETRY"
    /// The issuer doesn't support address verification.
    case serviceNotSupported = "SERVICE_NOT_SUPPORTED"
    /// The postcode matches.
    case zipMatch = "ZIP_MATCH"
}
