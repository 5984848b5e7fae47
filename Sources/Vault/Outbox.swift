internal import OpenSSL
public import Values

/// Durable queues of messages to merchants' servers, one queue for each merchant, oldest message first.
///
/// Each message is a sealed record with a number; another sealed record holds the lowest and next numbers. Every change
/// names the revision that it is based on, so several instances can add and take messages concurrently, and no message
/// is lost. A message is sent twice only if an instance does not remove or put back a taken message in time.
///
/// A message may be in a sequence, such as the messages on one order. It is not taken until the first attempt to send
/// each earlier message of its sequence has ended.
///
/// A message that can't be opened or read is a dead letter: it is reported once, never sent, and stays in the store.
public struct Outbox: Sendable {
    /// The maximum number of messages that one call of ``take(for:of:at:)`` reads.
    public static let readsMax = 256
    private static let attemptsMax = 256

    private let texts: SealedTexts
    private let reportDeadLetter: @Sendable (String) -> Void

    /// Creates access to the queues of an installation.
    ///
    /// - Parameter reportDeadLetter: receives one line on dead letters, once for each, without their content.
    public init(
        store: any SealedStore, keys: KeyRing, report: @escaping @Sendable (StoreFailure) -> Void = { _ in },
        reportDeadLetter: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.reportDeadLetter = reportDeadLetter
        texts = SealedTexts(store: store, keys: keys, report: report)
    }

    /// Adds a message, durably.
    ///
    /// - Parameters:
    ///   - id: identifies the message to its receiver; it is the same for the same event. The default is 32 random
    ///     hexadecimal digits.
    ///   - sequence: the sequence of the message, among those of the merchant and the kind; nil for no sequence.
    public func add(
        _ text: [UInt8], kind: OutboxKind, id: String? = nil, sequence: String? = nil, for merchant: MerchantID,
        at instant: Instant
    ) async throws(StoreFailure) {
        let id = id ?? Hexadecimal.encoded(RandomBytes.generate(16))
        let message = OutboxRecord(
            id: id, kind: kind, sequence: sequence, text: text, added: instant, due: instant, attempts: 0)
        for _ in 0..<Self.attemptsMax {
            let bounds = try await bounds(of: merchant)
            let number = bounds.next
            guard try await write(message.record, of: Self.owner(merchant, number), revision: 1) else {
                // Another instance wrote a message with this number but has not extended the bounds yet.
                var counted = bounds
                counted.next = number + 1
                _ = try await change(bounds, to: counted, of: merchant)
                continue
            }
            if try await include(number, in: bounds, of: merchant) { return }
            _ = try await texts.remove(Self.owner(merchant, number))
        }
        throw .unavailable(detail: "an outbox kept moving")
    }

    /// Extends the bounds to include a written message. Returns false if the bounds already begin after its number,
    /// because the message would never be found there.
    private func include(
        _ number: Int64, in bounds: OutboxBounds, of merchant: MerchantID
    ) async throws(StoreFailure) -> Bool {
        var bounds = bounds
        for _ in 0..<Self.attemptsMax {
            guard number >= bounds.first else { return false }
            // Written even if nothing changes: an instance that found no message of this number must not skip it now.
            var counted = bounds
            counted.next = max(bounds.next, number + 1)
            if try await change(bounds, to: counted, of: merchant) { return true }
            bounds = try await self.bounds(of: merchant)
        }
        return false
    }

    /// Takes the oldest message that is due; nil if none is. While it is taken, no other caller gets it.
    ///
    /// - Parameters:
    ///   - kinds: the kinds to choose from; nil for every kind.
    ///   - milliseconds: the time for which the message is taken.
    public func take(
        _ kinds: Set<OutboxKind>? = nil, for milliseconds: Int64, of merchant: MerchantID, at instant: Instant
    ) async throws(StoreFailure) -> Message? {
        let bounds = try await bounds(of: merchant)
        var next = bounds
        var deadLetters: [Int64] = []
        // The sequences with an earlier message whose first attempt has not ended.
        var heldSequences: Set<OutboxSequence> = []
        for number in bounds.first..<min(bounds.next, bounds.first + Int64(Self.readsMax)) {
            switch try await entry(number, of: merchant) {
            case .none:
                // The message was sent and removed.
                if number == next.first { next.first += 1 }
            case .unreadable:
                // An unreadable message after other messages is skipped until it is the first.
                guard number == next.first else { continue }
                next.first += 1
                deadLetters.append(number)
            case .message(let record, let revision):
                guard kinds?.contains(record.kind) ?? true else { continue }
                let sequence = OutboxSequence(of: record)
                if let sequence, heldSequences.contains(sequence) { continue }
                let taken = record.taken(until: instant.advanced(byMilliseconds: milliseconds))
                guard record.due <= instant,
                    try await write(taken.record, of: Self.owner(merchant, number), revision: revision + 1)
                else {
                    if let sequence, record.awaitsFirstAttempt { heldSequences.insert(sequence) }
                    continue
                }
                return Message(taken, number, of: merchant, revision: revision + 1)
            }
        }
        // The change fails if a message was added meanwhile; it may have one of the numbers that were skipped as empty.
        if next.first > bounds.first, try await change(bounds, to: next, of: merchant), let first = deadLetters.first {
            reportDeadLetter(
                "outbox of merchant \(merchant.text): messages that can't be opened or read are not sent: "
                    + "\(deadLetters.count), the first of them number \(first)")
        }
        return nil
    }

    /// Removes a taken message.
    public func remove(_ message: Message) async throws(StoreFailure) {
        _ = try await texts.remove(Self.owner(message.merchant, message.number))
    }

    /// Removes all messages of a merchant, those that are taken, too. What is added meanwhile stays.
    public func removeAll(of merchant: MerchantID) async throws(StoreFailure) {
        let bounds = try await bounds(of: merchant)
        guard bounds.first < bounds.next else { return }
        for number in bounds.first..<bounds.next { _ = try await texts.remove(Self.owner(merchant, number)) }
        var emptied = bounds
        emptied.first = bounds.next
        // If the bounds have moved, the next messages are taken after the numbers that are empty now.
        _ = try await change(bounds, to: emptied, of: merchant)
    }

    /// Puts a taken message back, to be taken again at `due` or later. Has no effect if another caller has taken it
    /// since.
    public func putBack(_ message: Message, until due: Instant) async throws(StoreFailure) {
        let record = OutboxRecord(
            id: message.id, kind: message.kind, sequence: message.sequence, text: message.text, added: message.added,
            due: due, attempts: message.attempts)
        _ = try await write(
            record.record, of: Self.owner(message.merchant, message.number), revision: message.revision + 1)
    }
}

extension Outbox {
    private static func owner(_ merchant: MerchantID, _ number: Int64?) -> SealedOwner {
        SealedOwner(.outbox, merchant: merchant, id: number.map { "\($0)" } ?? "bounds")
    }

    private func bounds(of merchant: MerchantID) async throws(StoreFailure) -> OutboxBounds {
        guard let found = try await texts.find(Self.owner(merchant, nil)) else { return OutboxBounds() }
        do throws(RecordFault) { return try OutboxBounds(record: found.text, revision: found.revision) } catch {
            throw texts.damage("outbox: \(error)")
        }
    }

    private func change(
        _ bounds: OutboxBounds, to next: OutboxBounds, of merchant: MerchantID
    ) async throws(StoreFailure) -> Bool {
        try await write(next.record, of: Self.owner(merchant, nil), revision: bounds.revision + 1)
    }

    /// The content of the store at a number.
    private enum Entry {
        case none
        case unreadable
        case message(OutboxRecord, revision: Int64)
    }

    private func entry(_ number: Int64, of merchant: MerchantID) async throws(StoreFailure) -> Entry {
        guard let result = try await texts.result(of: Self.owner(merchant, number)) else { return .none }
        guard case .success(let found) = result,
            let record = try? OutboxRecord(record: found.text.withUnsafeBytes { Array($0) })
        else { return .unreadable }
        return .message(record, revision: found.revision)
    }

    private func write(_ record: [UInt8], of owner: SealedOwner, revision: Int64) async throws(StoreFailure) -> Bool {
        try await texts.write(
            SecretBytes(record), of: owner, revision: revision, expiry: nil, at: Instant(secondsSinceEpoch: 0))
    }
}

extension SealingPurpose {
    /// Messages to merchants' servers. The name is Radial's because its API was the first to send messages.
    public static let outbox = SealingPurpose("radial outbox")
}
