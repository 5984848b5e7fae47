import HTTP
import HTTPClient
import HTTPTypes

/// One request on a separate connection.
enum SingleExchange {
    /// Sends a request to a port of 127.0.0.1 and returns the response. Throws if it is not the expected one.
    static func response(to request: RequestBatch.Entry, port: UInt16) throws -> Response {
        var value = try request.parsed(scheme: "http")
        value.head.authority = "127.0.0.1:\(port)"
        let response = try HTTPClient(timeout: .seconds(10)).response(to: value)
        try response.body.withUnsafeBytes {
            try request.check(LoadAnswer(status: response.head.status.code, content: $0))
        }
        return response
    }
}
