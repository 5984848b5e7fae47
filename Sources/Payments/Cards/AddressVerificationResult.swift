/// `response.cardholderVerification.avs`: what the issuer makes of the billing address.
public typealias AddressVerificationResult = VerificationResult<AddressVerificationVerdict>

/// `gatewayCode` of the verification of an address.
public enum AddressVerificationVerdict: String, CaseIterable, Sendable {
    /// The street is the cardholder's.
    case addressMatch = "ADDRESS_MATCH"
    /// Street and postcode are the cardholder's.
    case addressZIPMatch = "ADDRESS_ZIP_MATCH"
    /// Name and street are the cardholder's.
    case nameAddressMatch = "NAME_ADDRESS_MATCH"
    /// The name is the cardholder's.
    case nameMatch = "NAME_MATCH"
    /// Name and postcode are the cardholder's.
    case nameZIPMatch = "NAME_ZIP_MATCH"
    /// Nothing is the cardholder's.
    case noMatch = "NO_MATCH"
    /// The issuer has no address of the cardholder.
    case notAvailable = "NOT_AVAILABLE"
    /// The acquirer did not ask.
    case notRequested = "NOT_REQUESTED"
    /// The issuer did not look at the address.
    case notVerified = "NOT_VERIFIED"
    /// The issuer can't tell now.
    case serviceNotAvailableRetry = "SERVICE_NOT_AVAILABLE_RETRY"
    /// The issuer has no such check.
    case serviceNotSupported = "SERVICE_NOT_SUPPORTED"
    /// The postcode is the cardholder's.
    case zipMatch = "ZIP_MATCH"
}
