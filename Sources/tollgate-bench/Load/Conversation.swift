/// The client's side of the protocol on one connection, without I/O: takes requests and received bytes, and produces
/// checked answers and bytes to send.
protocol Conversation: AnyObject {
    /// The bytes to send, from ``outputStart`` on.
    var output: [UInt8] { get }
    var outputStart: Int { get }
    /// The number of requests without an answer.
    var inFlight: Int { get }

    /// Removes output that was sent.
    func consumeOutput(_ count: Int)

    /// Sends a request.
    func begin(_ request: LoadRequest) throws

    /// Processes received bytes, and passes each complete answer with its request to the body.
    func receive(_ bytes: UnsafeRawBufferPointer, _ body: (LoadRequest, LoadAnswer) throws -> Void) throws
}

/// A request in flight.
struct LoadRequest {
    let entry: RequestBatch.Entry
    /// When the request was started, in nanoseconds on the monotonic clock.
    let start: UInt64
    /// A number by which the caller identifies the request.
    var number = 0
}

/// An answer, valid only during the call that receives it.
struct LoadAnswer {
    let status: Int
    let content: UnsafeRawBufferPointer
}

extension Conversation {
    var outputBytes: Int { output.count - outputStart }
}
