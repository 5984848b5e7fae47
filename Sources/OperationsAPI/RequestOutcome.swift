internal import Payments

/// The outcome of a request, for the metrics.
enum RequestOutcome: Int, CaseIterable {
    /// The request succeeded.
    case success
    /// The transaction was declined or failed.
    case failure
    /// The transaction is in flight.
    case pending
    /// The result of the transaction is unknown.
    case unknown
    /// The request was invalid (4xx).
    case refused
    /// The request was not authenticated (401).
    case unauthorized
    /// The request must be retried later (503).
    case unavailable
    /// The gateway failed (any other 5xx).
    case failed
    /// No response was sent.
    case cut

    /// The outcome of a request, from its transaction's result, or from its status if it has no transaction. A nil status
    /// means that no response was sent.
    init(_ result: TransactionResult?, status: Int?) {
        switch (result, status) {
        case (_, nil): self = .cut
        case (.success?, _): self = .success
        case (.failure?, _): self = .failure
        case (.pending?, _): self = .pending
        case (.unknown?, _): self = .unknown
        case (nil, 401?): self = .unauthorized
        case (nil, 503?): self = .unavailable
        case (nil, let status?) where status >= 500: self = .failed
        case (nil, let status?) where status >= 400: self = .refused
        case (nil, _): self = .success
        }
    }

    /// The outcome's name in the metrics.
    var name: String {
        switch self {
        case .success: "success"
        case .failure: "failure"
        case .pending: "pending"
        case .unknown: "unknown"
        case .refused: "refused"
        case .unauthorized: "unauthorized"
        case .unavailable: "unavailable"
        case .failed: "failed"
        case .cut: "cut"
        }
    }
}
