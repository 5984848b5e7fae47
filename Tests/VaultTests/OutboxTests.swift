import Synchronization
import Testing
import Values

@testable import TestSupport
@testable import Vault

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
                        let text = Array("\(instance)-\(number)".utf8)
                        try? await outbox.add(text, kind: .test, for: merchant, at: Self.instant)
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

    @Test func `the messages of one merchant are removed, and the next ones are sent`() async throws {
        let outbox = Outbox(store: InMemoryStore(), keys: try .test())
        let (one, two) = (try MerchantID("A"), try MerchantID("B"))
        try await outbox.removeAll(of: one)
        for number in 0..<300 {
            try await outbox.add(Array("\(number)".utf8), kind: .test, for: one, at: Self.instant)
        }
        try await outbox.add(Array("other".utf8), kind: .test, for: two, at: Self.instant)
        let taken = try #require(try await outbox.take(for: 60_000, of: one, at: Self.instant))
        try await outbox.removeAll(of: one)
        #expect(try await outbox.take(for: 1, of: one, at: Self.instant) == nil)
        // A removed message that is being sent can't be put back.
        try await outbox.putBack(taken, until: Self.instant)
        #expect(try await outbox.take(for: 1, of: one, at: Self.instant) == nil)
        try await outbox.add(Array("next".utf8), kind: .test, for: one, at: Self.instant)
        #expect(Self.text(try await outbox.take(for: 60_000, of: one, at: Self.instant)) == "next")
        #expect(Self.text(try await outbox.take(for: 60_000, of: two, at: Self.instant)) == "other")
    }

    @Test func `messages of one merchant are none of another's`() async throws {
        let outbox = Outbox(store: InMemoryStore(), keys: try .test())
        try await outbox.add(Array("one".utf8), kind: .test, for: MerchantID("A"), at: Self.instant)
        #expect(try await outbox.take(for: 1, of: MerchantID("B"), at: Self.instant) == nil)
        #expect(Self.text(try await outbox.take(for: 1, of: MerchantID("A"), at: Self.instant)) == "one")
    }

    @Test func `a message that was put back is not given out before its time`() async throws {
        let outbox = Outbox(store: InMemoryStore(), keys: try .test())
        let merchant = try MerchantID("A")
        try await outbox.add(Array("one".utf8), kind: .test, for: merchant, at: Self.instant)
        let message = try #require(try await outbox.take(for: 60_000, of: merchant, at: Self.instant))
        #expect(message.attempts == 1)
        try await outbox.putBack(message, until: Self.instant.advanced(byMilliseconds: 5000))
        let before = Self.instant.advanced(byMilliseconds: 4999)
        #expect(try await outbox.take(for: 1, of: merchant, at: before) == nil)
        let again = try await outbox.take(for: 1, of: merchant, at: Self.instant.advanced(byMilliseconds: 5000))
        #expect(again?.attempts == 2)
        #expect(again?.added == Self.instant)
    }

    @Test func `a message that was taken too long ago can't be put back over another`() async throws {
        let outbox = Outbox(store: InMemoryStore(), keys: try .test())
        let merchant = try MerchantID("A")
        try await outbox.add(Array("one".utf8), kind: .test, for: merchant, at: Self.instant)
        let slow = try #require(try await outbox.take(for: 1000, of: merchant, at: Self.instant))
        let later = Self.instant.advanced(byMilliseconds: 1000)
        #expect(try await outbox.take(for: 60_000, of: merchant, at: later) != nil)
        try await outbox.putBack(slow, until: later)
        #expect(try await outbox.take(for: 1, of: merchant, at: later) == nil)
    }

    @Test func `messages of other kinds are left alone`() async throws {
        let outbox = Outbox(store: InMemoryStore(), keys: try .test())
        let merchant = try MerchantID("A")
        try await outbox.add(Array("one".utf8), kind: .other, for: merchant, at: Self.instant)
        try await outbox.add(Array("two".utf8), kind: .test, for: merchant, at: Self.instant)
        #expect(Self.text(try await outbox.take([.test], for: 1000, of: merchant, at: Self.instant)) == "two")
        #expect(try await outbox.take([.test], for: 1000, of: merchant, at: Self.instant) == nil)
        let other = try await outbox.take([.other], for: 1000, of: merchant, at: Self.instant)
        #expect(Self.text(other) == "one")
        #expect(other?.kind == .other)
    }

    @Test func `a message waits for the first attempts of those before it in its sequence, and for no more`()
        async throws
    {
        let outbox = Outbox(store: InMemoryStore(), keys: try .test())
        let merchant = try MerchantID("A")
        for (text, sequence) in [("a1", "a"), ("a2", "a"), ("b1", "b"), ("none", nil)] {
            try await outbox.add(
                Array(text.utf8), kind: .test, sequence: sequence, for: merchant, at: Self.instant)
        }
        func take(after milliseconds: Int64) async throws -> Outbox.Message? {
            try await outbox.take(
                for: 60_000, of: merchant, at: Self.instant.advanced(byMilliseconds: milliseconds))
        }
        let first = try #require(try await take(after: 0))
        #expect(Self.text(first) == "a1")
        #expect(Self.text(try await take(after: 0)) == "b1")
        #expect(Self.text(try await take(after: 0)) == "none")
        #expect(try await take(after: 0) == nil)
        try await outbox.putBack(first, until: Self.instant.advanced(byMilliseconds: 1000))
        #expect(Self.text(try await take(after: 0)) == "a2")
        #expect(Self.text(try await take(after: 1000)) == "a1")
    }

    @Test func `a message goes on once the gateway that took the one before it has disappeared`() async throws {
        let outbox = Outbox(store: InMemoryStore(), keys: try .test())
        let merchant = try MerchantID("A")
        for text in ["a1", "a2"] {
            try await outbox.add(Array(text.utf8), kind: .test, sequence: "a", for: merchant, at: Self.instant)
        }
        #expect(Self.text(try await outbox.take(for: 1000, of: merchant, at: Self.instant)) == "a1")
        let later = Self.instant.advanced(byMilliseconds: 1000)
        #expect(Self.text(try await outbox.take(for: 1000, of: merchant, at: later)) == "a1")
        // A second attempt holds up nothing.
        #expect(Self.text(try await outbox.take(for: 1000, of: merchant, at: later)) == "a2")
    }

    @Test func `sequences of one name are one for each kind`() async throws {
        let outbox = Outbox(store: InMemoryStore(), keys: try .test())
        let merchant = try MerchantID("A")
        for kind in [OutboxKind.test, .other] {
            try await outbox.add(Array("one".utf8), kind: kind, sequence: "a", for: merchant, at: Self.instant)
        }
        #expect(try await outbox.take(for: 1000, of: merchant, at: Self.instant)?.kind == .test)
        #expect(try await outbox.take(for: 1000, of: merchant, at: Self.instant)?.kind == .other)
    }

    @Test func `a message of an earlier version is a settlement's status`() async throws {
        let store = InMemoryStore()
        let merchant = try MerchantID("A")
        let keys = try KeyRing.test()
        let texts = SealedTexts(store: store, keys: keys)
        for (id, record) in [
            ("bounds", #"{"first":0,"format":2,"next":1}"#),
            ("0", #"{"added":1700000000000,"attempts":0,"due":1700000000000,"format":2,"id":"e1","text":"one"}"#),
        ] {
            #expect(
                try await texts.write(
                    SecretBytes(Array(record.utf8)), of: SealedOwner(.outbox, merchant: merchant, id: id),
                    revision: 1, expiry: nil, at: Self.instant))
        }
        let message = try await Outbox(store: store, keys: keys).take(for: 1, of: merchant, at: Self.instant)
        #expect(Self.text(message) == "one")
        #expect(message?.id == "e1")
        #expect(message?.kind == OutboxKind("settlementStatus"))
    }

    /// An outbox on a store, and what it tells.
    private final class Told: Sendable {
        let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }

        func outbox(_ store: InMemoryStore, _ keys: KeyRing) -> Outbox {
            Outbox(store: store, keys: keys, reportDeadLetter: { [self] line in lines.withLock { $0.append(line) } })
        }
    }

    /// Takes and removes all messages that are due.
    private static func drain(_ outbox: Outbox, _ merchant: MerchantID, at instant: Instant) async throws -> [String] {
        var texts: [String] = []
        // A call that only skips dead letters takes none.
        for _ in 0..<8 {
            while let message = try await outbox.take(for: 60_000, of: merchant, at: instant) {
                texts.append(String(decoding: message.text, as: UTF8.self))
                try await outbox.remove(message)
            }
        }
        return texts
    }

    @Test(arguments: [1, 300, 600])
    func `messages under a key that is gone are dead letters and hold up no other`(count: Int) async throws {
        let store = InMemoryStore()
        let merchant = try MerchantID("A")
        let (one, two) = (try KeyRing.test(count: 1), try KeyRing.test(count: 2))
        let told = Told()
        for number in 0..<count {
            let text = Array("old \(number)".utf8)
            try await told.outbox(store, two).add(text, kind: .test, for: merchant, at: Self.instant)
        }
        // The bounds stay readable.
        try await store.resealBounds(from: two, under: one, of: merchant)
        let outbox = told.outbox(store, one)
        try await outbox.add(Array("new".utf8), kind: .test, for: merchant, at: Self.instant)
        let sealed = await store.sealed.count

        #expect(try await Self.drain(outbox, merchant, at: Self.instant) == ["new"])
        #expect(told.all.first?.hasSuffix(" \(min(count, 256)), the first of them number 0") == true)
        #expect(told.all.count == (count + 255) / 256)
        #expect(!told.all.contains { $0.contains("old") })
        // Only the message that was sent is removed.
        #expect(await store.sealed.count == sealed - 1)
    }

    @Test func `bounds of an earlier version are read without its further members`() async throws {
        let store = InMemoryStore()
        let merchant = try MerchantID("A")
        let keys = try KeyRing.test()
        let texts = SealedTexts(store: store, keys: keys)
        let record = #"{"aside":"0-2","asideDue":1700003600000,"asideFrom":0,"first":3,"format":2,"next":3}"#
        #expect(
            try await texts.write(
                SecretBytes(Array(record.utf8)), of: SealedOwner(.outbox, merchant: merchant, id: "bounds"),
                revision: 1,
                expiry: nil, at: Self.instant))
        let outbox = Outbox(store: store, keys: keys)
        try await outbox.add(Array("new".utf8), kind: .test, for: merchant, at: Self.instant)
        #expect(try await outbox.take(for: 1, of: merchant, at: Self.instant)?.number == 3)
    }

    @Test func `a dead letter is reported once and stays in the store`() async throws {
        let store = InMemoryStore()
        let merchant = try MerchantID("A")
        let told = Told()
        let outbox = told.outbox(store, try .test())
        for text in ["first", "broken", "last"] {
            try await outbox.add(Array(text.utf8), kind: .test, for: merchant, at: Self.instant)
        }
        await store.damage(try KeyRing.test().name(of: SealedOwner(.outbox, merchant: merchant, id: "1")))
        #expect(try await Self.drain(outbox, merchant, at: Self.instant) == ["first", "last"])
        for hour: Int64 in 1...5 {
            let instant = Self.instant.advanced(byMilliseconds: hour * 3_600_000)
            try await outbox.add(Array("\(hour)".utf8), kind: .test, for: merchant, at: instant)
            #expect(try await Self.drain(outbox, merchant, at: instant) == ["\(hour)"])
        }
        #expect(
            told.all == [
                "outbox of merchant A: messages that can't be opened or read are not sent: 1, the first of them number 1"
            ])
        #expect(await store.sealed.count == 2)
    }

    @Test func `a store that fails is no message that can't be read`() async throws {
        let told = Told()
        let store = InMemoryStore()
        let merchant = try MerchantID("A")
        try await told.outbox(store, .test()).add(Array("one".utf8), kind: .test, for: merchant, at: Self.instant)
        let away = Outbox(
            store: AwaySealedStore(), keys: try .test(), reportDeadLetter: { _ in Issue.record("a dead letter") })
        await #expect(throws: StoreFailure.unavailable(detail: "away")) {
            try await away.take(for: 1, of: merchant, at: Self.instant)
        }
        #expect(try await Self.drain(told.outbox(store, .test()), merchant, at: Self.instant) == ["one"])
    }
}

/// A store that is away.
private struct AwaySealedStore: SealedStore {
    func item(_ name: [UInt8]) async throws(StoreFailure) -> SealedItem? { throw .unavailable(detail: "away") }
    func put(
        _ item: SealedItem, at instant: Instant, in group: SealedGroup?
    ) async throws(StoreFailure) -> SealedOutcome { throw .unavailable(detail: "away") }
    func remove(_ name: [UInt8]) async throws(StoreFailure) -> Bool { throw .unavailable(detail: "away") }
    func removeExpired(at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int {
        throw .unavailable(detail: "away")
    }
}

extension InMemoryStore {
    /// Seals a merchant's bounds under other keys, which have the same first key and so the same names.
    fileprivate nonisolated func resealBounds(
        from keys: KeyRing, under others: KeyRing, of merchant: MerchantID
    ) async throws {
        let owner = SealedOwner(.outbox, merchant: merchant, id: "bounds")
        let found = try #require(try await SealedTexts(store: self, keys: keys).find(owner))
        #expect(
            try await SealedTexts(store: self, keys: others).write(
                found.text, of: owner, revision: found.revision + 1, expiry: nil,
                at: Instant(secondsSinceEpoch: 0)))
    }

    /// Alters one bit of a sealed text.
    fileprivate func damage(_ name: [UInt8]) {
        guard let item = sealed[name] else { return }
        var text = item.text
        text[text.count - 1] ^= 1
        sealed[name] = SealedItem(name: name, revision: item.revision, expiry: item.expiry, text: text)
    }
}
