internal import Payments

/// A request's outcome, as it is counted.
enum RequestOutcome: Int, CaseIterable {
    /// Done as asked.
    case success
    /// A transaction that was declined or failed.
    case failure
    /// A transaction that is in flight.
    case pending
    /// A transaction of which it is not known what became.
    case unknown
    /// The request was at fault (4xx).
    case refused
    /// Nobody was let in (401).
    case unauthorized
    /// To be sent again later (503).
    case unavailable
    /// The gateway was at fault (any other 5xx).
    case failed
    /// No response was sent.
    case cut

    /// The outcome of a request by its transaction's result, or by its status if it has none; nil is no answer.
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

    /// The name by which it is counted.
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
