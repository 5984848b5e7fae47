/// `Code` of a `Fault`.
///
/// - Source: those marked as Radial's stand in its list of fault codes, of which only a part is public; the others are ours,
///   named in the same manner.
enum FaultCode: String, CaseIterable {
    /// Radial's: the account number's last digit is not its check digit.
    case panFailsLuhnCheck = "PanFailsLuhnCheckException"
    /// Radial's: the account number begins like no card of a known brand.
    case unknownPanBinRange = "UnknownPanBinRangeException"
    /// Radial's: the tender of the path is none, or is not the card's.
    case invalidTenderType = "InvalidTenderTypeException"
    /// Radial's: the store can't be paid in this way.
    case tenderGatewayConfiguration = "TenderGatewayConfigurationException"
    /// Radial's, as `ExtendedResponseCode`: there is no such authorization.
    case noAuthFound = "NoAuthFoundException"
    /// The token stands for no account number of the store.
    case tokenNotFound = "TokenNotFoundException"
    /// The Apple Pay token was refused.
    case applePayToken = "ApplePayTokenException"
    /// The content is not XML, or is XML of a kind that is not read.
    case malformedXML = "MalformedXmlException"
    /// An element or attribute is missing, unknown, repeated, or not of its form.
    case schemaValidation = "SchemaValidationException"
    /// The same `requestId` was sent with other content.
    case duplicateRequest = "DuplicateRequestException"
    /// An order of this id is past its authorization.
    case duplicateOrder = "DuplicateOrderException"
    /// The order can't take the operation.
    case orderState = "OrderStateException"
    /// The store lacks a privilege, or what proves who asks.
    case accessNotConfigured = "AccessNotConfiguredException"
    /// The API key is absent or not the store's.
    case invalidAPIKey = "InvalidApiKeyException"
    /// There is nothing under the path.
    case unknownResource = "UnknownResourceException"
    /// Only POST is answered.
    case methodNotAllowed = "MethodNotAllowedException"
    /// The content is neither `text/xml` nor `application/xml` in UTF-8.
    case unsupportedMediaType = "UnsupportedMediaTypeException"
    /// HTTP refuses the request: it is malformed, too large or too slow.
    case malformedRequest = "MalformedRequestException"
    /// The gateway can't answer now.
    case serviceUnavailable = "ServiceUnavailableException"
    /// The gateway is at fault.
    case systemError = "SystemErrorException"
}
