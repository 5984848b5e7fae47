internal import Values

/// Texts in a store, sealed on their way in and opened on their way out.
struct Vault: Sendable {
    let store: any SealedStore
    let keys: KeyRing
    /// Told of what can't be opened or read.
    let report: @Sendable (StoreFailure) -> Void

    /// A text that was opened.
    struct Found {
        let text: SecretBytes
        let revision: Int64
        let expiry: Instant?
    }

    /// The text of an owner, if there is one.
    func find(_ owner: SealedOwner) async throws(SessionRefusal) -> Found? {
        guard let found = try await result(of: owner) else { return nil }
        do throws(SealingFault) { return try found.get() } catch { throw damage("sealed text: \(error)") }
    }

    /// The text of an owner or why it can't be opened, if there is one. Nobody is told of it.
    func result(of owner: SealedOwner) async throws(SessionRefusal) -> Result<Found, SealingFault>? {
        let item: SealedItem?
        do throws(StoreFailure) { item = try await store.item(keys.name(of: owner)) } catch {
            throw .storeUnavailable(error)
        }
        guard let item else { return nil }
        do throws(SealingFault) {
            return .success(
                Found(text: try keys.open(item.text, of: owner), revision: item.revision, expiry: item.expiry))
        } catch { return .failure(error) }
    }

    /// What was read is not what was written. The operator must know, as no store told of it.
    func damage(_ detail: String) -> SessionRefusal {
        let failure = StoreFailure.damaged(detail: detail)
        report(failure)
        return .storeUnavailable(failure)
    }

    /// Seals a text under the current key and writes it; false if another change got in first.
    ///
    /// - Parameter limit: how many texts of this purpose the merchant has at most; nil is no limit.
    func write(
        _ text: SecretBytes, of owner: SealedOwner, revision: Int64, expiry: Instant?, limit: GroupLimit? = nil,
        at instant: Instant
    ) async throws(SessionRefusal) -> Bool {
        let item = SealedItem(
            name: keys.name(of: owner), revision: revision, expiry: expiry, text: keys.seal(text, for: owner))
        let outcome: SealedOutcome
        do throws(StoreFailure) {
            outcome = try await store.put(item, at: instant, in: limit.map { keys.group(of: owner, $0) })
        } catch { throw .storeUnavailable(error) }
        switch outcome {
        case .written: return true
        case .moved: return false
        case .full: throw .tooMany(owner.purpose, countMax: limit?.countMax ?? 0)
        }
    }

    /// A text for an order to hold: sealed under the current key, and to be written with the order.
    ///
    /// - Parameter limit: how many texts of this purpose the merchant has at most.
    func held(_ text: SecretBytes, of owner: SealedOwner, limit: GroupLimit) -> HeldItem {
        .new(
            SealedItem(name: keys.name(of: owner), revision: 1, expiry: nil, text: keys.seal(text, for: owner)),
            in: keys.group(of: owner, limit))
    }

    func remove(_ owner: SealedOwner) async throws(SessionRefusal) -> Bool {
        do throws(StoreFailure) { return try await store.remove(keys.name(of: owner)) } catch {
            throw .storeUnavailable(error)
        }
    }

    func removeExpired(at instant: Instant, countMax: Int) async throws(SessionRefusal) -> Int {
        do throws(StoreFailure) { return try await store.removeExpired(at: instant, countMax: countMax) } catch {
            throw .storeUnavailable(error)
        }
    }
}
