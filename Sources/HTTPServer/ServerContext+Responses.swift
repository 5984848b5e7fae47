import HTTP
import HTTPTypes

/// Responses that no handler is asked for.
extension ServerContext {
    /// The response to a request that is answered here, whatever its path; nil for the handler's.
    func ownResponse(to request: Request) -> Response? {
        // RFC 9110 §9.3.7: a question about the server as a whole, to which no path and no API belongs.
        if request.head.path == "*" { return Response(status: .ok) }
        guard request.hasForeignContentCoding else { return nil }
        // RFC 9110 §12.5.3: what would be understood.
        var response = refusalResponse(.unsupportedMediaType, request.head.path)
        response.head.headerFields[.acceptEncoding] = "identity"
        return response
    }

    /// The response to a request on a connection that has outlived its client's certificate. On another one, which the
    /// handshake may refuse, the client can repeat the request (RFC 9110 §15.5.20).
    func expiryResponse(to request: Request) -> Response {
        var response = refusalResponse(.misdirectedRequest, request.head.path)
        response.head.headerFields[.connection] = "close"
        return response
    }

    /// The response, without TLS, to a client that speaks HTTP on a TLS port.
    func plaintextResponse(date: HTTPDate) -> [UInt8] {
        let response = Response(
            status: .badRequest, contentType: "text/plain",
            body: Array("This port speaks HTTPS: ask for https:// in place of http://.\n".utf8))
        var bytes: [UInt8] = []
        do throws(HTTP1Writer.Unwritable) {
            try HTTP1Writer.append(response, to: &bytes, date: date, persistence: .close, isHead: false)
        } catch {
            preconditionFailure("the program's own refusal is unwritable: \(error)")
        }
        return bytes
    }
}
