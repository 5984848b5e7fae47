import HTTP
import HTTPTypes
import Notifications
import Payments
import Synchronization
import Testing
import TestSupport
import Values
import Vault

/// Messages on their way to a merchant's server.
struct NotificationSenderTests {
    private final class Receiver: Sendable {
        private let answers: Mutex<[Bool]>
        private let seen = Mutex<[String]>([])

        init(_ answers: [Bool]) { self.answers = Mutex(answers) }

        var messages: [String] { seen.withLock { $0 } }

        func take(_ request: Request) -> Bool {
            seen.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
            return answers.withLock { $0.isEmpty ? true : $0.removeFirst() }
        }
    }

    private let outbox: Outbox
    private let merchant = try? Merchant(id: MerchantID("A"), passwords: [], applePay: nil)
    private let clock = TestClock(Instant(secondsSinceEpoch: 1_700_000_000))
    private let reports = Reports()

    private final class Reports: Sendable {
        let lines = Mutex<[String]>([])
    }

    init() throws { outbox = Outbox(store: InMemoryStore(), keys: try .test()) }

    private func add(_ texts: String..., kind: OutboxKind = .test) async throws {
        for text in texts {
            try await outbox.add(Array(text.utf8), kind: kind, for: try #require(merchant).id, at: clock.now)
        }
    }

    private func sender(
        _ receiver: Receiver, retryMilliseconds: Int64 = 86_400_000,
        unreadable: String = "broken"
    ) throws -> NotificationSender {
        let url = try #require(HTTPURL("https://shop.example/events"))
        let kind = NotificationKind(.test, noun: "a test's message") { _ in
            NotificationDestination(retryMilliseconds: retryMilliseconds) { message in
                guard message.text != Array(unreadable.utf8) else { return nil }
                return Request(head: url.head(.post), body: message.text)
            }
        }
        return NotificationSender(
            outbox: outbox, merchants: MerchantDirectory([try #require(merchant)]), kinds: [kind],
            machineTime: { [clock] in clock.now }, send: { receiver.take($0) },
            report: { [reports] line in reports.lines.withLock { $0.append(line) } })
    }

    @Test func `messages are sent once each, oldest first`() async throws {
        try await add("one", "two", "three")
        let receiver = Receiver([])
        let sender = try sender(receiver)
        while await sender.sendDue() > 0 {}
        #expect(receiver.messages == ["one", "two", "three"])
        clock.advance(byMilliseconds: 86_400_000)
        #expect(await sender.sendDue() == 0)
    }

    @Test func `a message that is not accepted is sent again after 1, 2, 4 … seconds`() async throws {
        try await add("one")
        let receiver = Receiver([false, false, false, true])
        let sender = try sender(receiver)
        for pause: Int64 in [0, 1000, 2000, 4000] {
            if pause > 0 {
                clock.advance(byMilliseconds: pause - 1)
                #expect(await sender.sendDue() == 0)
                clock.advance(byMilliseconds: 1)
            }
            #expect(await sender.sendDue() == 1)
        }
        #expect(receiver.messages.count == 4)
        clock.advance(byMilliseconds: 86_400_000)
        #expect(await sender.sendDue() == 0)
    }

    @Test func `a message that nobody accepts is dropped in the end, and reported`() async throws {
        try await add("one")
        let receiver = Receiver(Array(repeating: false, count: 100))
        let sender = try sender(receiver, retryMilliseconds: 10_000)
        for _ in 0..<60 {
            _ = await sender.sendDue()
            clock.advance(byMilliseconds: 1000)
        }
        // At 0, 1, 3 and 7 s; the next attempt would have been at 15 s.
        #expect(receiver.messages.count == 4)
        #expect(
            reports.lines.withLock { $0 } == ["webhook of merchant A: a test's message was dropped after 4 attempts"])
    }

    @Test func `a message that is not accepted holds up no other`() async throws {
        try await add("one", "two")
        let receiver = Receiver([false, true])
        let sender = try sender(receiver)
        while await sender.sendDue() > 0 {}
        #expect(receiver.messages == ["one", "two"])
    }

    @Test func `a message whose text can't be read is dropped and reported, and holds up no other`() async throws {
        try await add("broken", "two")
        let receiver = Receiver([])
        let sender = try sender(receiver)
        #expect(await sender.sendDue() == 2)
        #expect(receiver.messages == ["two"])
        #expect(
            reports.lines.withLock { $0 } == [
                "webhook of merchant A: a test's message was dropped because its text can't be read"
            ])
    }

    @Test func `messages of kinds that have no destination stay in the outbox`() async throws {
        try await add("other", kind: .other)
        try await add("one")
        let receiver = Receiver([])
        let sender = try sender(receiver)
        while await sender.sendDue() > 0 {}
        #expect(receiver.messages == ["one"])
        let left = try await outbox.take(for: 1000, of: try #require(merchant).id, at: clock.now)
        #expect(left?.kind == .other)
    }
}
