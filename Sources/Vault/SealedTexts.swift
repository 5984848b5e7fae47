public import Values

/// Encrypted storage of records: seals them before they are written, and opens them after they are read.
public struct SealedTexts: Sendable {
    private let store: any SealedStore
    /// The keys of the installation.
    public let keys: KeyRing
    /// Receives a failure for every record that can't be opened or read.
    private let report: @Sendable (StoreFailure) -> Void

    /// Creates access to the records of an installation.
    ///
    /// - Parameter report: receives a failure for every record that can't be opened or read. The store reports its own failures.
    public init(
        store: any SealedStore, keys: KeyRing, report: @escaping @Sendable (StoreFailure) -> Void = { _ in }
    ) {
        self.store = store
        self.keys = keys
        self.report = report
    }

    /// An opened record.
    public struct Found {
        /// The plaintext.
        public let text: SecretBytes
        /// The number of times that the record was written; 1 for a new record.
        public let revision: Int64
        /// The instant at which the record expires; nil if it is kept until it is removed.
        public let expiry: Instant?
    }

    /// Finds and opens the record of an owner; nil if there is none. Reports a record that can't be opened.
    public func find(_ owner: SealedOwner) async throws(StoreFailure) -> Found? {
        guard let found = try await result(of: owner) else { return nil }
        do throws(SealingFault) { return try found.get() } catch { throw damage("sealed text: \(error)") }
    }

    /// Finds and opens the record of an owner, or returns why it can't be opened; nil if there is none. Reports nothing.
    public func result(of owner: SealedOwner) async throws(StoreFailure) -> Result<Found, SealingFault>? {
        guard let item = try await store.item(keys.name(of: owner)) else { return nil }
        do throws(SealingFault) {
            return .success(
                Found(text: try keys.open(item.text, of: owner), revision: item.revision, expiry: item.expiry))
        } catch { return .failure(error) }
    }

    /// Reports damaged data to the operator, because the store can't detect it, and returns the failure for the caller.
    public func damage(_ detail: String) -> StoreFailure {
        let failure = StoreFailure.damaged(detail: detail)
        report(failure)
        return failure
    }

    /// Seals a record under the current key and writes it. Returns false if another change was written first.
    ///
    /// - Parameters:
    ///   - revision: 1 for a new record, otherwise one more than that of the record it replaces.
    ///   - limit: the merchant's limit for this purpose; nil is no limit.
    public func write(
        _ text: SecretBytes, of owner: SealedOwner, revision: Int64, expiry: Instant?, limit: GroupLimit? = nil,
        at instant: Instant
    ) async throws(StoreFailure) -> Bool {
        let item = SealedItem(
            name: keys.name(of: owner), revision: revision, expiry: expiry, text: keys.seal(text, for: owner))
        switch try await store.put(item, at: instant, in: limit.map { keys.group(of: owner, $0) }) {
        case .written: return true
        case .moved: return false
        case .full: throw .full(owner.purpose, countMax: limit?.countMax ?? 0)
        }
    }

    /// Seals a new record under the current key, to be written in the same commit as the order that holds it.
    ///
    /// - Parameter limit: the merchant's limit for this purpose.
    public func held(_ text: SecretBytes, of owner: SealedOwner, limit: GroupLimit) -> HeldItem {
        .new(
            SealedItem(name: keys.name(of: owner), revision: 1, expiry: nil, text: keys.seal(text, for: owner)),
            in: keys.group(of: owner, limit))
    }

    /// An existing record that another order is to hold.
    public func held(existing owner: SealedOwner) -> HeldItem { .kept(name: keys.name(of: owner)) }

    /// Removes the record of an owner. Returns false if there was none.
    public func remove(_ owner: SealedOwner) async throws(StoreFailure) -> Bool {
        try await store.remove(keys.name(of: owner))
    }

    /// Removes at most `countMax` records that expired before an instant. Returns how many it removed.
    public func removeExpired(at instant: Instant, countMax: Int) async throws(StoreFailure) -> Int {
        try await store.removeExpired(at: instant, countMax: countMax)
    }
}
