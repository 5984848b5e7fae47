import HTTP
import HTTPClient
import HTTPTypes

/// One request on a connection of its own, to a port of this machine.
enum Exchange {
    private static let client = HTTPClient(timeout: .seconds(Patience.seconds), contentBytesMax: 64 * 1024 * 1024)

    /// Sends a request and returns the response.
    ///
    /// - Parameter fields: further header fields, each with its end.
    static func reply(
        _ method: String, _ path: String, _ body: [UInt8] = [], port: UInt16, fields: String = ""
    ) throws -> HTTPReply {
        guard let method = HTTPRequest.Method(rawValue: method) else { throw HTTPConnection.Failure.notHTTP(method) }
        var head = HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1:\(port)", path: path)
        for line in fields.split(separator: "\r\n") {
            let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
            guard parts.count == 2, let name = HTTPField.Name(parts[0]) else {
                throw HTTPConnection.Failure.notHTTP(fields)
            }
            head.headerFields.append(HTTPField(name: name, value: parts[1]))
        }
        return try HTTPReply(try client.response(to: Request(head: head, body: body)))
    }
}

extension HTTPReply {
    fileprivate init(_ response: Response) throws {
        let fields = response.head.headerFields.map { "\($0.name.rawName): \($0.value)\r\n" }
        try self.init(head: "HTTP/1.1 \(response.head.status)\r\n\(fields.joined())\r\n", body: response.body)
    }
}
