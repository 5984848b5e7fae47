/// The client's side of one connection, without the connection: requests and bytes in, checked answers and bytes out.
protocol Conversation: AnyObject {
    /// Bytes to send, from ``outputStart`` on.
    var output: [UInt8] { get }
    var outputStart: Int { get }
    /// Requests without an answer.
    var inFlight: Int { get }

    /// Removes output that was sent.
    func consumeOutput(_ count: Int)

    /// Sends a request.
    func begin(_ request: LoadRequest) throws

    /// Takes bytes that arrived, and gives each whole answer with the request that it is for to the body.
    func receive(_ bytes: UnsafeRawBufferPointer, _ body: (LoadRequest, LoadAnswer) throws -> Void) throws
}

/// A request on its way.
struct LoadRequest {
    let entry: RequestBatch.Entry
    /// When it was begun, in nanoseconds on the monotonic clock.
    let start: UInt64
    /// Which it is, to whom that matters.
    var number = 0
}

/// An answer, as long as its bytes are lent.
struct LoadAnswer {
    let status: Int
    let content: UnsafeRawBufferPointer
}

extension Conversation {
    var outputBytes: Int { output.count - outputStart }
}
