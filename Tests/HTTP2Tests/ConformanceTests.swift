import HTTPTypes
import Testing

struct ConformanceTests {
    /// How the bytes of a case arrive.
    enum Arrival: CaseIterable { case stepByStep, atOnce, byteByByte }

    @Test(arguments: ConformanceCase.all, Arrival.allCases)
    func `a client gets the reaction that the rule demands`(_ rule: ConformanceCase, arrival: Arrival) throws {
        let conversation = rule.begins ? Conversation.begun() : Conversation()
        switch arrival {
        case .stepByStep: for step in rule.steps { conversation.send(step) }
        case .atOnce: conversation.send(Array(rule.steps.joined()))
        case .byteByByte: conversation.send(eachByteOf: Array(rule.steps.joined()))
        }
        let seen = "\(conversation.frames)"
        let goAway = conversation.goAway
        let resets = conversation.frames(.resetStream).compactMap(\.errorCode).map(HTTP2ErrorCode.init(rawValue:))
        switch rule.reaction {
        case .connectionError(let codes):
            #expect(codes.contains(try #require(goAway, "\(seen)")), "\(seen)")
            #expect(conversation.isClosed)
        case .streamError(let codes):
            let code = try #require(resets.first ?? goAway, "\(seen)")
            #expect(codes.contains(code), "\(seen)")
        case .resetExactly(let stream, let code):
            #expect(conversation.reset(stream: stream) == code, "\(seen)")
            #expect(!conversation.isClosed)
        case .end:
            #expect(conversation.isClosed, "\(seen)")
        case .endOrPong:
            #expect(
                conversation.isClosed || conversation.frames.contains { $0.isKind(.ping) && $0.flags == 1 }, "\(seen)")
        case .response(let stream):
            #expect(conversation.frames(.headers, stream: stream).count == 1, "\(seen)")
            #expect(goAway == nil && !conversation.isClosed)
        case .pong:
            let pings = conversation.frames(.ping)
            #expect(pings.count == 1 && pings[0].flags == 1, "\(seen)")
            #expect(pings.last?.payload == rule.steps.last.map { Array($0.suffix(8)) })
            #expect(!conversation.isClosed)
        case .settings:
            let settings = conversation.frames(.settings)
            #expect(conversation.frames.first == settings.first && settings.map(\.flags) == [0, 1], "\(seen)")
        case .data(let stream, let lengths):
            let all = conversation.frames(.data, stream: stream).map(\.payload.count)
            // In one piece, a window may have grown before the first frame was made.
            if arrival == .stepByStep {
                #expect(all.starts(with: lengths), "\(seen)")
            } else {
                #expect(!all.isEmpty && all.reduce(0, +) >= lengths.reduce(0, +) - 1, "\(seen)")
            }
        }
    }
}
