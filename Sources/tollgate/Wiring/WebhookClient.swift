import Dispatch
import HTTP
import HTTPClient
import HTTPTypes
import Payments
import RadialAPI
import Values

/// Sends messages to merchants' webhooks. Each message blocks a thread of its own, so the caller bounds their number.
final class WebhookClient: Sendable {
    /// The time limit for one message in seconds, from connecting to the status.
    private static let seconds = 10

    private let client = HTTPClient(timeout: .seconds(seconds))
    private let report: @Sendable (String) -> Void

    /// Creates a client.
    ///
    /// - Parameter report: called with one line that says why a message was not accepted.
    init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// Sends a message.
    ///
    /// - Returns: whether the server accepted it with a 2xx status.
    func send(_ message: WebhookMessage) async -> Bool {
        await withCheckedContinuation { continuation in
            // A serial queue gets a thread at once, however many others are blocked on their servers. A concurrent
            // queue shares the threads on which the program's tasks run.
            DispatchQueue(label: "tollgate.webhook", qos: .utility).async {
                let address = message.webhook.address
                do throws(HTTPClientError) {
                    let status = try self.client.status(answering: message.request)
                    guard status.kind != .successful else { return continuation.resume(returning: true) }
                    self.report("\(address): answered \(status.code)")
                } catch {
                    self.report("\(address): \(error)")
                }
                continuation.resume(returning: false)
            }
        }
    }
}

extension WebhookMessage {
    fileprivate var request: Request {
        let address = webhook.address
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        let usual: UInt16 = address.isEncrypted ? 443 : 80
        var fields = HTTPFields()
        if let credentials = webhook.credentials {
            let text = "\(credentials.user):\(credentials.password.revealed())"
            fields.append(HTTPField(name: .authorization, value: "Basic \(Base64.encoded(Array(text.utf8)))"))
        }
        if let name = HTTPField.Name("Tollgate-Event-Id") { fields.append(HTTPField(name: name, value: id)) }
        fields.append(HTTPField(name: .contentType, value: "text/xml;charset=UTF-8"))
        return Request(
            head: HTTPRequest(
                method: .post, scheme: address.isEncrypted ? "https" : "http",
                authority: host + (address.port == usual ? "" : ":\(address.port)"), path: address.target,
                headerFields: fields),
            body: content)
    }
}
