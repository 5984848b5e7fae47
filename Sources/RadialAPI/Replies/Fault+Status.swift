public import HTTP
public import HTTPTypes
public import Values

extension RadialAPI {
    /// Whether this API answers a path, if only with a `Fault`.
    public static func isAddressed(by path: String) -> Bool { RadialRoute.isAddressed(by: path) }

    /// The `Fault` for a request that the server refused before the API saw it: malformed, too large or too slow.
    public static func refusalResponse(_ status: HTTPResponse.Status, at instant: Instant) -> Response {
        Fault(refusedWith: status).response(at: instant)
    }
}

extension Fault {
    /// Maps the server's status to a fault.
    fileprivate init(refusedWith status: HTTPResponse.Status) {
        let code: FaultCode =
            switch status.code {
            case 415: .unsupportedMediaType
            case 503: .serviceUnavailable
            case 500...599: .systemError
            default: .malformedRequest
            }
        self.init(
            code, nil, "the request could not be processed: \(status.reasonPhrase)", status: status)
    }
}
