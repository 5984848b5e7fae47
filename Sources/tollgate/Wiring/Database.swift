import Payments
import PostgresStore
import SQLiteStore
import Vault

/// The database of a gateway: a local file, or a server that several gateways may share.
enum Database: Sendable {
    case file(SQLiteStore)
    case server(DatabaseServer)

    /// Opens the database, whose contents must have been sealed under these keys. An unreachable server is retried
    /// later, see ``DatabaseServer``.
    init(_ settings: StoreSettings, _ directory: DataDirectory, _ keys: KeyRing) async throws {
        let mark = keys.recognition.mark
        guard let url = settings.url else {
            self = .file(try Self.file(directory, mark))
            return
        }
        self = .server(
            try await DatabaseServer(
                url: url, connectionsMax: settings.connectionsMax, mark: mark, keysPath: directory.keysPath))
    }

    /// Validates the settings before anything is created.
    static func check(_ settings: StoreSettings) throws {
        guard let url = settings.url else { return }
        do throws(PostgresStore.OpenFailure) { try PostgresStore.check(url: url) } catch {
            throw Failure(error.explanation(place: "storeURL", keysPath: ""))
        }
    }

    private static func file(_ directory: DataDirectory, _ mark: [UInt8]) throws -> SQLiteStore {
        let file: SQLiteStore
        do { file = try SQLiteStore(path: directory.databasePath) } catch { throw Failure(error.explanation) }
        let isKept: Bool
        do throws(StoreFailure) { isKept = try file.isKept(under: mark) } catch {
            throw Failure("\(directory.databasePath): \(error)")
        }
        guard isKept else {
            throw Failure(
                "\(directory.keysPath) is not the key of \(directory.databasePath), whose used tokens it would not "
                    + "recognise: bring both back from one copy, or remove both to start again")
        }
        return file
    }

    /// The store in this database.
    var store: any PaymentStore & SealedStore & OrderListing {
        switch self {
        case .file(let file): file
        case .server(let server): server.store
        }
    }

    /// The sizes of the store's group commits.
    var batches: Operations.StoreBatches {
        switch self {
        case .file(let file): file.batches
        case .server(let server): server.store.batches
        }
    }

    /// The address of a server, as text; nil for a file, which is in the data directory.
    var summary: String? {
        switch self {
        case .file: nil
        case .server(let server): "PostgreSQL at \(server.store.place)" + (server.isOpen ? "" : ", not there yet")
        }
    }

    /// Keeps trying to open an unreachable server.
    ///
    /// - Parameter body: called with the reason if the server can never be opened.
    func keepOpening(orElse body: @escaping @Sendable (Failure) -> Void) {
        if case .server(let server) = self { server.keepOpening(orElse: body) }
    }

    /// Closes the database. Nothing may use it afterwards.
    func close() {
        switch self {
        case .file(let file):
            // Acknowledged writes are on disk even if closing fails.
            do { try file.close() } catch { StandardError.offerLine("store: not closed: \(error)") }
        case .server(let server): server.close()
        }
    }
}

extension SQLiteStore.OpenFailure {
    /// The reason why the store can't be opened, as text.
    var explanation: String {
        switch self {
        case .file(let detail), .database(let detail): detail
        case .newerSchema(let path): "\(path): a later version of Tollgate has written it; run that version"
        }
    }
}
