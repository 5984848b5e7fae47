internal import JSON
internal import OpenSSL
public import Values

/// Messages that wait to be taken by merchants, durably, oldest first.
///
/// A merchant's messages are numbered. One sealed text tells between which numbers they lie, and each message is a text of
/// its own. Every change names the revision that it is made on, so that several instances may add and take messages at one
/// time: none is lost, and one is sent twice only if whoever took it didn't say so in time.
public struct Outbox: Sendable {
    /// How many messages of a merchant are looked at for one that is due.
    public static let lookedAtMax = 256
    private static let attemptsMax = 256

    let vault: Vault
    private let setAside: @Sendable (String) -> Void

    /// A message that was taken to be sent.
    public struct Message: Sendable {
        /// Whose it is.
        public let merchant: MerchantID
        /// Its number among the merchant's.
        public let number: Int64
        /// By which whoever is sent it knows it again: the same however often it is taken, of 1 to 64 letters, digits and
        /// hyphens.
        public let id: String
        /// What is to be sent.
        public let text: [UInt8]
        /// When it was added.
        public let added: Instant
        /// How often it was taken, 1 the first time.
        public let attempts: Int64
        let revision: Int64
    }

    /// The messages of an installation.
    ///
    /// - Parameter setAside: is told of messages that can't be read, once, in one line without what they say.
    public init(
        store: any SealedStore, keys: KeyRing, report: @escaping @Sendable (StoreFailure) -> Void = { _ in },
        setAside: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.setAside = setAside
        vault = Vault(store: store, keys: keys, report: report)
    }

    /// Adds a message, durably.
    ///
    /// - Parameter id: by which it is known again, the same for the same event; 32 random hexadecimal digits if it is not
    ///   given.
    public func add(
        _ text: [UInt8], id: String? = nil, for merchant: MerchantID, at instant: Instant
    ) async throws(StoreFailure) {
        let id = id ?? Hexadecimal.encoded(RandomBytes.generate(16))
        try await add(KeptMessage(id: id, text: text, added: instant, due: instant, attempts: 0), for: merchant)
    }

    private func add(_ message: KeptMessage, for merchant: MerchantID) async throws(StoreFailure) {
        for _ in 0..<Self.attemptsMax {
            let bounds = try await bounds(of: merchant)
            let number = bounds.next
            guard try await write(message.record, of: Self.owner(merchant, number), revision: 1) else {
                // Someone else's message of this number was added, and not yet told of.
                var counted = bounds
                counted.next = number + 1
                _ = try await move(bounds, to: counted, of: merchant)
                continue
            }
            if try await tell(of: number, from: bounds, of: merchant) { return }
            _ = try await remove(Self.owner(merchant, number))
        }
        throw .unavailable(detail: "an outbox kept moving")
    }

    /// Takes the oldest message that is due, for some time: nobody else is given it until then.
    ///
    /// - Parameter milliseconds: for how long it is taken.
    public func take(
        for milliseconds: Int64, of merchant: MerchantID, at instant: Instant
    ) async throws(StoreFailure) -> Message? {
        var bounds = try await bounds(of: merchant)
        if !bounds.aside.ranges.isEmpty, bounds.aside.due <= instant {
            try await lookAside(from: bounds, of: merchant, at: instant)
            bounds = try await self.bounds(of: merchant)
        }
        var next = bounds
        var unreadable: [Int64] = []
        for number in bounds.first..<min(bounds.next, bounds.first + Int64(Self.lookedAtMax)) {
            switch try await message(number, of: merchant) {
            case .none:
                // What was sent is gone: the messages begin behind it.
                if number == next.first { next.first += 1 }
            case .unreadable:
                // In front of all others it would stay for ever; behind others it is passed over until then.
                guard number == next.first else { continue }
                next.first += 1
                next.aside.append(number)
                unreadable.append(number)
            case .message(let kept, let revision):
                guard kept.due <= instant else { continue }
                let taken = KeptMessage(
                    id: kept.id, text: kept.text, added: kept.added,
                    due: instant.advanced(byMilliseconds: milliseconds),
                    attempts: kept.attempts + 1)
                guard try await write(taken.record, of: Self.owner(merchant, number), revision: revision + 1) else {
                    continue
                }
                return Message(
                    merchant: merchant, number: number, id: kept.id ?? "\(number)-\(kept.added.millisecondsSinceEpoch)",
                    text: kept.text, added: kept.added, attempts: taken.attempts,
                    revision: revision + 1)
            }
        }
        if bounds.aside.ranges.isEmpty {
            next.aside.due = instant.advanced(byMilliseconds: OutboxAside.pauseMilliseconds)
        }
        // Fails if a message was added meanwhile, which may lie where there was none.
        if next.first > bounds.first, try await move(bounds, to: next, of: merchant), let first = unreadable.first {
            setAside(
                "outbox of merchant \(merchant.text): messages that can't be opened or read were set aside: "
                    + "\(unreadable.count), the first of them number \(first)")
        }
        return nil
    }

    /// Looks at some of the messages that were set aside, and puts those that can be read by now behind the others.
    private func lookAside(
        from bounds: Bounds, of merchant: MerchantID, at instant: Instant
    ) async throws(StoreFailure) {
        let pause = instant.advanced(byMilliseconds: OutboxAside.pauseMilliseconds)
        var claimed = bounds
        claimed.aside.due = pause
        // Of several instances one looks.
        guard try await move(bounds, to: claimed, of: merchant) else { return }
        let numbers = bounds.aside.numbers(countMax: Self.lookedAtMax)
        var gone: [Int64] = []
        for number in numbers {
            switch try await message(number, of: merchant) {
            case .none: gone.append(number)
            case .unreadable: break
            case .message(let kept, _):
                try await add(kept, for: merchant)
                _ = try await remove(Self.owner(merchant, number))
                gone.append(number)
            }
        }
        let current = try await self.bounds(of: merchant)
        var next = current
        for number in gone { next.aside.remove(number) }
        let isWhole = numbers.count < Self.lookedAtMax
        next.aside.from = isWhole ? 0 : (numbers.last ?? 0) + 1
        next.aside.due = isWhole ? pause : instant
        _ = try await move(current, to: next, of: merchant)
    }

    /// Forgets a message that was taken.
    public func remove(_ message: Message) async throws(StoreFailure) {
        _ = try await remove(Self.owner(message.merchant, message.number))
    }

    /// Gives a message back that nobody took, to be taken again from an instant on. Has no effect if someone else has taken it
    /// since.
    public func putBack(_ message: Message, until due: Instant) async throws(StoreFailure) {
        let kept = KeptMessage(
            id: message.id, text: message.text, added: message.added, due: due, attempts: message.attempts)
        _ = try await write(
            kept.record, of: Self.owner(message.merchant, message.number), revision: message.revision + 1)
    }

    /// Counts a message in that was written; false if the messages begin behind its number by now, so that nobody would look
    /// for it there.
    private func tell(of number: Int64, from bounds: Bounds, of merchant: MerchantID) async throws(StoreFailure) -> Bool
    {
        var bounds = bounds
        for _ in 0..<Self.attemptsMax {
            guard number >= bounds.first else { return false }
            // Written even if nothing changes, so that whoever found nothing under this number can't move on.
            var counted = bounds
            counted.next = max(bounds.next, number + 1)
            if try await move(bounds, to: counted, of: merchant) { return true }
            bounds = try await self.bounds(of: merchant)
        }
        return false
    }
}

extension Outbox {
    /// Between which numbers a merchant's messages lie.
    private struct Bounds {
        var first: Int64
        var next: Int64
        var aside = OutboxAside()
        var revision: Int64 = 0
    }

    private func bounds(of merchant: MerchantID) async throws(StoreFailure) -> Bounds {
        guard let found = try await find(Self.owner(merchant, nil)) else { return Bounds(first: 0, next: 0) }
        return try await reading { () throws(RecordFault) in
            let reader = try RecordReader(record: found.text.withUnsafeBytes { Array($0) })
            var bounds = Bounds(
                first: try reader.count("first"), next: try reader.count("next"), revision: found.revision)
            if let aside = try reader.stringIfPresent("aside") {
                bounds.aside = try OutboxAside(
                    text: aside, from: try reader.count("asideFrom"), due: try reader.instant("asideDue"))
            }
            guard bounds.first <= bounds.next else { throw .member("next") }
            return bounds
        }
    }

    private func move(_ bounds: Bounds, to next: Bounds, of merchant: MerchantID) async throws(StoreFailure) -> Bool {
        var record = JSONWriter()
        record.beginObject()
        if !next.aside.ranges.isEmpty {
            record.member("aside", next.aside.text)
            record.member("asideDue", next.aside.due.millisecondsSinceEpoch)
            record.member("asideFrom", next.aside.from)
        }
        record.member("first", next.first)
        record.member("format", RecordFormat.current)
        record.member("next", next.next)
        record.endObject()
        return try await write(record.bytes, of: Self.owner(merchant, nil), revision: bounds.revision + 1)
    }

    /// What lies under a number.
    private enum Kept {
        case none
        case unreadable
        case message(KeptMessage, revision: Int64)
    }

    private func message(_ number: Int64, of merchant: MerchantID) async throws(StoreFailure) -> Kept {
        let result: Result<Vault.Found, SealingFault>?
        do throws(SessionRefusal) { result = try await vault.result(of: Self.owner(merchant, number)) } catch {
            throw error.storeFailure
        }
        guard let result else { return .none }
        guard case .success(let found) = result,
            let kept = try? KeptMessage(record: found.text.withUnsafeBytes { Array($0) })
        else { return .unreadable }
        return .message(kept, revision: found.revision)
    }

    private static func owner(_ merchant: MerchantID, _ number: Int64?) -> SealedOwner {
        SealedOwner(.outbox, merchant: merchant, id: number.map { "\($0)" } ?? "bounds")
    }

    private func reading<Value>(
        _ read: () throws(RecordFault) -> Value
    ) async throws(StoreFailure) -> Value {
        do throws(RecordFault) { return try read() } catch { throw vault.damage("outbox: \(error)").storeFailure }
    }

    private func find(_ owner: SealedOwner) async throws(StoreFailure) -> Vault.Found? {
        do throws(SessionRefusal) { return try await vault.find(owner) } catch { throw error.storeFailure }
    }

    private func write(_ record: [UInt8], of owner: SealedOwner, revision: Int64) async throws(StoreFailure) -> Bool {
        do throws(SessionRefusal) {
            return try await vault.write(
                SecretBytes(record), of: owner, revision: revision, expiry: nil,
                at: Instant(secondsSinceEpoch: 0))
        } catch {
            throw error.storeFailure
        }
    }

    private func remove(_ owner: SealedOwner) async throws(StoreFailure) -> Bool {
        do throws(SessionRefusal) { return try await vault.remove(owner) } catch { throw error.storeFailure }
    }
}

/// A message as it is sealed.
private struct KeptMessage {
    /// Messages that earlier versions kept have none.
    let id: String?
    let text: [UInt8]
    let added: Instant
    let due: Instant
    let attempts: Int64

    init(id: String?, text: [UInt8], added: Instant, due: Instant, attempts: Int64) {
        self.id = id
        self.text = text
        self.added = added
        self.due = due
        self.attempts = attempts
    }

    init(record: [UInt8]) throws(RecordFault) {
        let reader = try RecordReader(record: record)
        added = try reader.instant("added")
        attempts = try reader.count("attempts")
        due = try reader.instant("due")
        id = try reader.stringIfPresent("id")
        text = Array(try reader.string("text").utf8)
    }

    var record: [UInt8] {
        var record = JSONWriter()
        record.beginObject()
        record.member("added", added.millisecondsSinceEpoch)
        record.member("attempts", attempts)
        record.member("due", due.millisecondsSinceEpoch)
        record.member("format", RecordFormat.current)
        record.member("id", id)
        record.member("text", String(decoding: text, as: UTF8.self))
        record.endObject()
        return record.bytes
    }
}

extension SealingPurpose {
    /// What is to be told to merchants.
    public static let outbox = SealingPurpose("radial outbox")
}
