internal import Dispatch
public import HTTP
internal import HTTPClient
internal import HTTPTypes

/// Sends notifications over HTTP/1.1, with or without TLS. Each notification blocks a thread of its own, so the caller
/// must limit their number.
public final class NotificationClient: Sendable {
    /// The time limit for one notification in seconds, from connecting to the status.
    public static let timeoutSeconds = 10

    private let client = HTTPClient(timeout: .seconds(timeoutSeconds))
    private let report: @Sendable (String) -> Void

    /// Creates a client.
    ///
    /// - Parameter report: receives one line for each notification that is not accepted, with its server and why.
    public init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// Sends a notification.
    ///
    /// - Returns: whether the server accepted it with a 2xx status.
    public func send(_ request: Request) async -> Bool {
        await withCheckedContinuation { continuation in
            // A serial queue gets a thread at once, however many others are blocked on their servers. A concurrent
            // queue shares the threads on which the program's tasks run.
            DispatchQueue(label: "tollgate.notification", qos: .utility).async {
                let server = Origin(request.head).map { "\($0)" } ?? "no server"
                do throws(HTTPClientError) {
                    let status = try self.client.status(answering: request)
                    guard status.kind != .successful else { return continuation.resume(returning: true) }
                    self.report("\(server): answered \(status.code)")
                } catch {
                    self.report("\(server): \(error)")
                }
                continuation.resume(returning: false)
            }
        }
    }
}
