/// `Code` of a `Fault`.
///
/// - Source: codes marked as Radial's are in the public part of its list of fault codes. The others are ours, named in
///   the same style.
enum FaultCode: String, CaseIterable {
    /// Radial's: the account number's last digit is not its check digit.
    case panFailsLuhnCheck = "PanFailsLuhnCheckException"
    /// Radial's: no known card brand has the account number's leading digits.
    case unknownPanBinRange = "UnknownPanBinRangeException"
    /// Radial's: the path's tender type is unknown or is not the card's.
    case invalidTenderType = "InvalidTenderTypeException"
    /// Radial's: the store does not accept this means of payment.
    case tenderGatewayConfiguration = "TenderGatewayConfigurationException"
    /// Radial's, as `ExtendedResponseCode`: there is no such authorization.
    case noAuthFound = "NoAuthFoundException"
    /// The store has no such account token.
    case tokenNotFound = "TokenNotFoundException"
    /// The Apple Pay token was refused.
    case applePayToken = "ApplePayTokenException"
    /// The content is malformed XML, or uses XML features that are not read.
    case malformedXML = "MalformedXmlException"
    /// An element or attribute is missing, unknown, repeated or invalid.
    case schemaValidation = "SchemaValidationException"
    /// The same `requestId` was used with other content.
    case duplicateRequest = "DuplicateRequestException"
    /// The order with this id was authorized before.
    case duplicateOrder = "DuplicateOrderException"
    /// The order's state does not allow the operation.
    case orderState = "OrderStateException"
    /// The store lacks a privilege, or the client has not authenticated itself.
    case accessNotConfigured = "AccessNotConfiguredException"
    /// The API key is absent or not the store's.
    case invalidAPIKey = "InvalidApiKeyException"
    /// The path names no resource.
    case unknownResource = "UnknownResourceException"
    /// The method is not POST.
    case methodNotAllowed = "MethodNotAllowedException"
    /// The content is neither `text/xml` nor `application/xml` in UTF-8.
    case unsupportedMediaType = "UnsupportedMediaTypeException"
    /// The HTTP request was refused: malformed, too large or too slow.
    case malformedRequest = "MalformedRequestException"
    /// The gateway is temporarily unavailable.
    case serviceUnavailable = "ServiceUnavailableException"
    /// An internal error of the gateway.
    case systemError = "SystemErrorException"
}
