import HTTP
import Payments
import RadialAPI
import Synchronization
import Testing
import TestSupport
import Vault

/// Messages on their way to webhooks.
struct SettlementStatusDeliveryTests {
    private final class Receiver: Sendable {
        private let answers: Mutex<[Bool]>
        private let seen = Mutex<[String]>([])

        init(_ answers: [Bool]) { self.answers = Mutex(answers) }

        var messages: [String] { seen.withLock { $0 } }

        func take(_ message: WebhookMessage) -> Bool {
            seen.withLock { $0.append(String(decoding: message.content, as: UTF8.self)) }
            return answers.withLock { $0.isEmpty ? true : $0.removeFirst() }
        }
    }

    private func delivery(_ store: TestStore, _ receiver: Receiver) -> SettlementStatusDelivery {
        SettlementStatusDelivery(
            outbox: store.outbox, merchants: MerchantDirectory([store.merchant]), machineTime: { store.clock.now },
            send: { receiver.take($0) }, report: { _ in })
    }

    private static func store(retryMilliseconds: Int64 = 86_400_000) throws -> TestStore {
        let address = try #require(HTTPURL("https://shop.example/events"))
        return try TestStore(webhook: RadialWebhook(address: address, retryMilliseconds: retryMilliseconds))
    }

    @Test func `messages are sent once each, oldest first`() async throws {
        let store = try Self.store()
        for text in ["one", "two", "three"] {
            try await store.outbox.add(Array(text.utf8), kind: .test, for: store.merchant.id, at: store.clock.now)
        }
        let receiver = Receiver([])
        let delivery = delivery(store, receiver)
        while await delivery.deliverDue() > 0 {}
        #expect(receiver.messages == ["one", "two", "three"])
        store.clock.advance(byMilliseconds: 86_400_000)
        #expect(await delivery.deliverDue() == 0)
    }

    @Test func `a message that is not taken is sent again after 1, 2, 4 … seconds`() async throws {
        let store = try Self.store()
        try await store.outbox.add(Array("one".utf8), kind: .test, for: store.merchant.id, at: store.clock.now)
        let receiver = Receiver([false, false, false, true])
        let delivery = delivery(store, receiver)
        for pause: Int64 in [0, 1000, 2000, 4000] {
            if pause > 0 {
                store.clock.advance(byMilliseconds: pause - 1)
                #expect(await delivery.deliverDue() == 0)
                store.clock.advance(byMilliseconds: 1)
            }
            #expect(await delivery.deliverDue() == 1)
        }
        #expect(receiver.messages.count == 4)
        store.clock.advance(byMilliseconds: 86_400_000)
        #expect(await delivery.deliverDue() == 0)
    }

    @Test func `a message that nobody takes is dropped in the end`() async throws {
        let store = try Self.store(retryMilliseconds: 10_000)
        try await store.outbox.add(Array("one".utf8), kind: .test, for: store.merchant.id, at: store.clock.now)
        let receiver = Receiver(Array(repeating: false, count: 100))
        let delivery = delivery(store, receiver)
        for _ in 0..<60 {
            _ = await delivery.deliverDue()
            store.clock.advance(byMilliseconds: 1000)
        }
        // At 0, 1, 3 and 7 s; the next attempt would have been at 15 s.
        #expect(receiver.messages.count == 4)
    }

    @Test func `one that isn't taken keeps none of the others`() async throws {
        let store = try Self.store()
        for text in ["one", "two"] {
            try await store.outbox.add(Array(text.utf8), kind: .test, for: store.merchant.id, at: store.clock.now)
        }
        let receiver = Receiver([false, true])
        let delivery = delivery(store, receiver)
        while await delivery.deliverDue() > 0 {}
        #expect(receiver.messages == ["one", "two"])
    }

    @Test func `what one instance has taken, another one doesn't send`() async throws {
        let store = try Self.store()
        try await store.outbox.add(Array("one".utf8), kind: .test, for: store.merchant.id, at: store.clock.now)
        let first = try await store.outbox.take(for: 60_000, of: store.merchant.id, at: store.clock.now)
        #expect(first != nil)
        #expect(try await store.outbox.take(for: 60_000, of: store.merchant.id, at: store.clock.now) == nil)
        // An instance that ended meanwhile: after its time someone else sends the message.
        store.clock.advance(byMilliseconds: 60_000)
        #expect(try await store.outbox.take(for: 60_000, of: store.merchant.id, at: store.clock.now) != nil)
    }
}
