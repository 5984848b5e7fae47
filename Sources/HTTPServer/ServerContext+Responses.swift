import HTTP
import HTTPTypes

/// Responses that the server creates without a handler.
extension ServerContext {
    /// The server's own response to a request, for any path; nil if the handler must respond.
    func ownResponse(to request: Request) -> Response? {
        // RFC 9110 §9.3.7: a request about the server as a whole, without a path.
        if request.head.path == "*" { return Response(status: .ok) }
        guard request.hasForeignContentCoding else { return nil }
        // RFC 9110 §12.5.3: the field lists the supported content codings.
        var response = refusalResponse(.unsupportedMediaType, request.head.path)
        response.head.headerFields[.acceptEncoding] = "identity"
        return response
    }

    /// The response to a request on a connection whose client certificate has expired (RFC 9110 §15.5.20). The client
    /// can repeat the request on a new connection, whose handshake then checks the certificate.
    func expiryResponse(to request: Request) -> Response {
        var response = refusalResponse(.misdirectedRequest, request.head.path)
        response.head.headerFields[.connection] = "close"
        return response
    }

    /// The unencrypted response to a client that uses HTTP on a TLS port.
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
