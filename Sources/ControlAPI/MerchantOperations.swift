public import HTTP
public import Payments

/// Operations that the gateway's operator performs in place of a merchant, through the merchants' API.
public struct MerchantOperations: Sendable {
    /// Retrieves an order as its merchant would.
    let retrieve: @Sendable (OrderKey) -> Answer
    /// Performs the request in the content as the merchant would, and logs it.
    let perform: @Sendable (OrderKey, TransactionID, WipedBuffer, Peer?) -> Answer

    /// Creates the operations from calls of the merchants' API.
    public init(
        retrieve: @escaping @Sendable (OrderKey) -> Answer,
        perform: @escaping @Sendable (OrderKey, TransactionID, WipedBuffer, Peer?) -> Answer
    ) {
        self.retrieve = retrieve
        self.perform = perform
    }
}

extension Answer {
    /// The response, once it is there; nil if the connection is to be cut in its place.
    func response() async -> Response? {
        switch self {
        case .now(let response): response
        case .later(let operation): await operation()
        case .laterOrCut(let operation): await operation()
        }
    }
}
