import PostgresStore
import Synchronization

/// A store on a server, opened as soon as the server accepts a connection.
///
/// A gateway starts even if its server is unreachable or refuses the login. It is not ready, reports why, and continues
/// by itself once it can connect, as it does after a later outage. So gateways and their server may start in any order.
/// An error that waiting can't cure ends the gateway: a database of a later version, or of another installation.
final class DatabaseServer: Sendable {
    private static let pauseMilliseconds = 500...1000

    private enum State {
        case waiting(reason: String)
        case opening(Task<Void, Never>)
        case open
    }

    let store: PostgresStore
    private let mark: [UInt8]
    private let keysPath: String
    private let state: Mutex<State>

    /// Tries once to open the store.
    ///
    /// - Parameters:
    ///   - mark: the mark of the installation key under which everything in the database must be sealed.
    ///   - keysPath: the path of that key, for error messages.
    init(url: String, connectionsMax: Int, mark: [UInt8], keysPath: String) async throws {
        do throws(PostgresStore.OpenFailure) {
            store = try PostgresStore(unopened: url, limits: .init(connectionsMax: connectionsMax))
        } catch {
            throw Failure(error.explanation(place: "storeURL", keysPath: keysPath))
        }
        self.mark = mark
        self.keysPath = keysPath
        state = Mutex(.open)
        if let reason = try await attempt() {
            state.withLock { $0 = .waiting(reason: reason) }
            Self.report(store.place, reason)
        }
    }

    /// Whether the store is open.
    var isOpen: Bool { state.withLock { if case .open = $0 { true } else { false } } }

    /// Retries until the store is open, unless it already is.
    ///
    /// - Parameter body: called with the reason if it can never be opened.
    func keepOpening(orElse body: @escaping @Sendable (Failure) -> Void) {
        state.withLock { state in
            guard case .waiting(let reason) = state else { return }
            state = .opening(
                Task {
                    do throws(Failure) { try await self.open(after: reason) } catch { body(error) }
                })
        }
    }

    private func open(after firstReason: String) async throws(Failure) {
        var reported = firstReason
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(Int.random(in: Self.pauseMilliseconds)))
            guard let reason = try await attempt() else {
                state.withLock { $0 = .open }
                return StandardError.offerLine("store: \(store.place): open now")
            }
            if reason != reported { Self.report(store.place, reason) }
            reported = reason
        }
    }

    /// Tries once.
    ///
    /// - Returns: nil once the store is open, otherwise the reason why it is not.
    private func attempt() async throws(Failure) -> String? {
        do throws(PostgresStore.OpenFailure) { try await store.open(under: mark) } catch {
            if case .unreachable(let detail) = error { return detail }
            throw Failure(error.explanation(place: store.place, keysPath: keysPath))
        }
        return nil
    }

    private static func report(_ place: String, _ reason: String) {
        StandardError.offerLine("store: \(place): not there, so not ready until it is: \(reason)")
    }

    /// Stops retrying, and closes the store.
    func close() {
        state.withLock { if case .opening(let task) = $0 { task.cancel() } }
        store.close()
    }
}

extension PostgresStore.OpenFailure {
    /// The reason why the store can't be opened, as text.
    func explanation(place: String, keysPath: String) -> String {
        switch self {
        case .url(let detail), .unreachable(let detail), .database(let detail): "\(place): \(detail)"
        case .newerSchema: "\(place): a later version of Tollgate has written it; run that version"
        case .otherInstallation:
            "\(keysPath) is not the key of \(place), whose used tokens it would not recognise: name the folder with the "
                + "keys that all gateways on one database share (--keys-folder), or an empty database to start again"
        }
    }
}
