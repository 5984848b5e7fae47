/// Responses that are produced while they are sent.
extension HTTP2Connection {
    /// Whether the response on a stream has begun, and more of it may follow.
    public func isStreaming(_ id: Int32) -> Bool { !isTerminated && streams[id]?.isStreaming == true }

    /// Whether the peer has taken all pieces that were added on a stream.
    public func hasRoom(_ id: Int32) -> Bool { streams[id]?.response.isEmpty == true }

    /// Adds a piece of the response on a stream. It is dropped if the stream no longer exists.
    public func send(_ piece: [UInt8], stream id: Int32) {
        guard !piece.isEmpty, let stream = streams[id], isStreaming(id) else { return }
        stream.response += piece
        waitingResponseBytes += piece.count
        stream.deadline = Self.time(now, plusSeconds: limits.writeTimeoutSeconds)
        session.resume(id)
        pump()
    }

    /// Ends the response on a stream.
    public func endStream(_ id: Int32) {
        guard let stream = streams[id], isStreaming(id) else { return }
        stream.isStreaming = false
        stream.deadline = Self.time(now, plusSeconds: limits.writeTimeoutSeconds)
        session.resume(id)
        pump()
    }
}
