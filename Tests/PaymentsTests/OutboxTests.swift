import ApplePay
import Payments
import Testing
import TestSupport

/// Messages that wait, in a store that several instances share.
struct OutboxTests {
    private static let instant = Instant(secondsSinceEpoch: 1_700_000_000)

    private static func text(_ message: Outbox.Message?) -> String? {
        message.map { String(decoding: $0.text, as: UTF8.self) }
    }

    @Test func `nothing is lost of what instances add and take at one time`() async throws {
        let store = InMemoryStore()
        let merchant = try MerchantID("TESTMERCHANT")
        let keys = try KeyRing.test()
        let taken = await withTaskGroup(of: [String].self) { group in
            for instance in 0..<4 {
                group.addTask {
                    let outbox = Outbox(store: store, keys: keys)
                    for number in 0..<25 {
                        try? await outbox.add(Array("\(instance)-\(number)".utf8), for: merchant, at: Self.instant)
                    }
                    return []
                }
                group.addTask {
                    let outbox = Outbox(store: store, keys: keys)
                    var taken: [String] = []
                    for _ in 0..<400 {
                        guard let message = try? await outbox.take(for: 60_000, of: merchant, at: Self.instant) else {
                            await Task.yield()
                            continue
                        }
                        taken.append(String(decoding: message.text, as: UTF8.self))
                        try? await outbox.remove(message)
                    }
                    return taken
                }
            }
            return await group.reduce(into: [String]()) { $0 += $1 }
        }
        var all = taken
        let outbox = Outbox(store: store, keys: keys)
        while let message = try await outbox.take(for: 60_000, of: merchant, at: Self.instant) {
            all.append(String(decoding: message.text, as: UTF8.self))
            try await outbox.remove(message)
        }
        #expect(all.count == 100)
        #expect(Set(all).count == 100)
    }

    @Test func `messages of one merchant are none of another's`() async throws {
        let outbox = Outbox(store: InMemoryStore(), keys: try .test())
        try await outbox.add(Array("one".utf8), for: MerchantID("A"), at: Self.instant)
        #expect(try await outbox.take(for: 1, of: MerchantID("B"), at: Self.instant) == nil)
        #expect(Self.text(try await outbox.take(for: 1, of: MerchantID("A"), at: Self.instant)) == "one")
    }

    @Test func `a message that was put back is not given out before its time`() async throws {
        let outbox = Outbox(store: InMemoryStore(), keys: try .test())
        let merchant = try MerchantID("A")
        try await outbox.add(Array("one".utf8), for: merchant, at: Self.instant)
        let message = try #require(try await outbox.take(for: 60_000, of: merchant, at: Self.instant))
        #expect(message.attempts == 1)
        try await outbox.putBack(message, until: Self.instant.advanced(byMilliseconds: 5000))
        let before = Self.instant.advanced(byMilliseconds: 4999)
        #expect(try await outbox.take(for: 1, of: merchant, at: before) == nil)
        let again = try await outbox.take(for: 1, of: merchant, at: Self.instant.advanced(byMilliseconds: 5000))
        #expect(again?.attempts == 2)
        #expect(again?.added == Self.instant)
    }

    @Test func `whoever took a message too long ago can't put it back over another`() async throws {
        let outbox = Outbox(store: InMemoryStore(), keys: try .test())
        let merchant = try MerchantID("A")
        try await outbox.add(Array("one".utf8), for: merchant, at: Self.instant)
        let slow = try #require(try await outbox.take(for: 1000, of: merchant, at: Self.instant))
        let later = Self.instant.advanced(byMilliseconds: 1000)
        #expect(try await outbox.take(for: 60_000, of: merchant, at: later) != nil)
        try await outbox.putBack(slow, until: later)
        #expect(try await outbox.take(for: 1, of: merchant, at: later) == nil)
    }
}
