internal import OpenSSL
public import Values

/// Durable queues of messages to merchants' servers, one queue for each merchant, oldest message first.
///
/// Each message is a sealed text with a number; another sealed text holds the bounds of the numbers. Every change names the
/// revision that it is based on, so several instances can add and take messages concurrently: no message is lost. One is sent
/// twice only if an instance does not remove or put back a taken message in time.
///
/// Messages may be in a sequence, such as those on one order: then one is not taken before the first attempt to send each
/// earlier one has ended.
///
/// A message that can't be opened or read is a dead letter: it is reported once, never sent, and stays in the store.
public struct Outbox: Sendable {
    /// The maximum number of messages that one call of ``take(for:of:at:)`` reads.
    public static let readsMax = 256
    private static let attemptsMax = 256

    private let texts: SealedTexts
    private let reportDeadLetter: @Sendable (String) -> Void

    /// The queues of an installation.
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
    ///   - id: identifies the message to its receiver, the same for the same event; 32 random hexadecimal digits unless
    ///     given.
    ///   - sequence: names the sequence of the message among those of the merchant and the kind; nil if it is in none.
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
                // Another instance wrote a message with this number and has not changed the bounds yet.
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

    /// Extends the bounds to a message that was written. Returns false if the bounds begin behind its number by now: nobody
    /// would find it there.
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

    /// Takes the oldest message that is due; nil if none is. Until the time is over, no other caller gets it.
    ///
    /// - Parameters:
    ///   - kinds: those to choose from; nil is every kind.
    ///   - milliseconds: for how long it is taken.
    public func take(
        _ kinds: Set<OutboxKind>? = nil, for milliseconds: Int64, of merchant: MerchantID, at instant: Instant
    ) async throws(StoreFailure) -> Message? {
        let bounds = try await bounds(of: merchant)
        var next = bounds
        var deadLetters: [Int64] = []
        // Those of which an earlier message has yet to end its first attempt.
        var heldSequences: Set<OutboxSequence> = []
        for number in bounds.first..<min(bounds.next, bounds.first + Int64(Self.readsMax)) {
            switch try await entry(number, of: merchant) {
            case .none:
                // It was sent and removed.
                if number == next.first { next.first += 1 }
            case .unreadable:
                // Behind other messages it is skipped until it is the first one.
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
        // Fails if a message was added meanwhile, which may have a number that had none.
        if next.first > bounds.first, try await change(bounds, to: next, of: merchant), let first = deadLetters.first {
            reportDeadLetter(
                "outbox of merchant \(merchant.text): messages that can't be opened or read are not sent: "
                    + "\(deadLetters.count), the first of them number \(first)")
        }
        return nil
    }

    /// Removes a message that was taken.
    public func remove(_ message: Message) async throws(StoreFailure) {
        _ = try await texts.remove(Self.owner(message.merchant, message.number))
    }

    /// Puts a taken message back, to be taken again from an instant on. Has no effect if another caller has taken it since.
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

    /// What the store has under a number.
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
    /// Messages to merchants' servers. Radial's API was the first to send any.
    public static let outbox = SealingPurpose("radial outbox")
}
