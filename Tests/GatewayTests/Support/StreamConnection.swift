import HTTP
import HTTP2Client
import HTTPTypes
import Values

/// A connection that speaks HTTP/2 without TLS, one request after the other.
final class StreamConnection {
    private let transport: HTTPConnection
    private let client = HTTP2Client()

    /// Connects to a port of this machine.
    init(port: UInt16) throws {
        transport = try HTTPConnection(port: port)
        try flush()
    }

    /// The status that answers a request.
    func ask(_ method: HTTPRequest.Method, _ path: String, _ authorization: String, _ content: [UInt8]) throws -> Int {
        var head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path)
        head.headerFields[.authorization] = authorization
        guard client.submit(Request(head: head, body: content)) != nil else { throw HTTPConnection.Failure.endedEarly }
        try flush()
        while true {
            switch client.next() {
            case .response(let response, _): return response.head.status.code
            case .reset, .goAway: throw HTTPConnection.Failure.endedEarly
            case nil:
                let bytes = try transport.receiveSome()
                guard !bytes.isEmpty else { throw HTTPConnection.Failure.endedEarly }
                client.receive(bytes.span)
                try flush()
            }
        }
    }

    private func flush() throws {
        while client.outputBytes > 0 {
            let bytes = Array(client.output[client.outputStart...])
            try transport.send(bytes)
            client.consumeOutput(bytes.count)
        }
    }
}

/// Base 64 as header fields have it.
enum Base64Text {
    /// The value of `Authorization` for the sandbox merchant.
    static func basic(_ password: String) -> String {
        "Basic \(Base64.encoded(Array("merchant.TESTMERCHANT:\(password)".utf8)))"
    }
}
