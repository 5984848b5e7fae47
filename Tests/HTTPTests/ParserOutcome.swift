import HTTP

/// What a parser made of some bytes that came in some pieces.
struct ParserOutcome: Equatable {
    var requests: [HTTP1Request] = []
    var refusal: HTTP1Refusal?
    var phase = HTTP1Parser.Phase.idle

    init(_ pieces: [[UInt8]], limits: HTTP1Limits = HTTP1Limits()) {
        var parser = HTTP1Parser(limits: limits)
        for piece in pieces where refusal == nil {
            parser.append(piece.span)
            consume(&parser)
        }
        phase = parser.phase
    }

    init(_ text: String, limits: HTTP1Limits = HTTP1Limits()) {
        self.init([Array(text.utf8)], limits: limits)
    }

    private mutating func consume(_ parser: inout HTTP1Parser) {
        do throws(HTTP1Refusal) {
            while true {
                switch try parser.next() {
                case .incomplete: return
                case .continueExpected: continue
                case .request(let request): requests.append(request)
                }
            }
        } catch {
            refusal = error
        }
    }
}

/// Bytes split at every position into two, and one by one.
func everySplit(_ bytes: [UInt8]) -> [[[UInt8]]] {
    (1..<max(bytes.count, 1)).map { [Array(bytes[..<$0]), Array(bytes[$0...])] } + [bytes.map { [$0] }]
}
