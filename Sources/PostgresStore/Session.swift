internal import CLibPQ

/// Sole owner of one `PGconn`, which never blocks but for the look-up of a host's name. It works in pipeline mode: what is
/// sent together is answered together.
///
/// - Source: PostgreSQL 15, "34.4. Asynchronous Command Processing" and "34.5. Pipeline Mode"
final class Session {
    /// How far an attempt to connect is.
    enum Progress {
        case waiting(forWriting: Bool)
        case connected
        case failed(detail: String)
    }

    /// What has come of an exchange.
    enum Received {
        case notAll
        case all([QueryResult], refusal: (error: ServerError, query: Int)?)
        case lost(detail: String)
    }

    private let connection: OpaquePointer
    private let address: ServerAddress
    private var askedCount = 0
    private var results: [QueryResult] = []
    private var refusal: (error: ServerError, query: Int)?
    private var meter = ReceivedBytes.unasked()

    /// Begins to connect. Nothing if there is no memory.
    init?(to address: ServerAddress) {
        let keywords = CStrings(address.keywords)
        let values = CStrings(address.values)
        guard let connection = PQconnectStartParams(keywords.pointers, values.pointers, 0) else { return nil }
        self.connection = connection
        self.address = address
        // By default libpq prints what the server remarks.
        _ = PQsetNoticeReceiver(connection, { _, _ in }, nil)
    }

    deinit { PQfinish(connection) }

    /// Another one after each step of connecting; -1 if there is none.
    var socket: Int32 { PQsocket(connection) }

    /// Takes the next step of connecting.
    func advance() -> Progress {
        guard PQstatus(connection) != CONNECTION_BAD else { return .failed(detail: detail) }
        let held = meter.held(by: socket)
        let progress = PQconnectPoll(connection)
        meter.count(held, nowHeldBy: socket)
        guard !meter.isFull else { return .failed(detail: meter.detail) }
        switch progress {
        case PGRES_POLLING_READING: return .waiting(forWriting: false)
        case PGRES_POLLING_WRITING: return .waiting(forWriting: true)
        case PGRES_POLLING_OK:
            guard PQsetnonblocking(connection, 1) == 0, PQenterPipelineMode(connection) == 1 else {
                return .failed(detail: detail)
            }
            meter = ReceivedBytes.unasked()
            return .connected
        default: return .failed(detail: detail)
        }
    }

    /// Puts queries and the end of their pipeline into the buffer.
    ///
    /// What the server may send from here on until the answer to the last of them: ``ReceivedBytes/answersMax``.
    ///
    /// - Returns: nothing if they are on their way or in the buffer, otherwise why the connection can't take them.
    func send(_ queries: [Query]) -> String? {
        askedCount = queries.count
        results = []
        results.reserveCapacity(queries.count)
        refusal = nil
        meter = ReceivedBytes.answers()
        for query in queries where !send(query) { return detail }
        return PQpipelineSync(connection) == 1 ? nil : detail
    }

    /// Writes what is in the buffer: true if nothing is left, nothing if the connection is lost.
    func flush() -> Bool? {
        // Where it can't write, libpq reads.
        let held = meter.held(by: socket)
        let status = PQflush(connection)
        if status == 1 { meter.count(held, nowHeldBy: socket) }
        return status == 0 ? true : status == 1 ? false : nil
    }

    /// Reads what has come, up to the end of the pipeline.
    ///
    /// Of a query that succeeds libpq tells one result and its end (no result); of those after one that fails, that they
    /// were not run; of the end of the pipeline one result, which no end follows. Whatever else a server makes of it is no
    /// answer, and nothing more that it says on this connection is believed.
    func receive() -> Received {
        guard consume() else { return .lost(detail: refusal?.error.detail ?? detail) }
        guard !meter.isFull else { return .lost(detail: meter.detail) }
        var isAtEnd = false
        while PQisBusy(connection) == 0 {
            guard let result = PQgetResult(connection) else {
                // The end of one query; another one follows only where libpq waits for nothing any more.
                guard PQstatus(connection) == CONNECTION_OK, !isAtEnd else {
                    return .lost(detail: refusal?.error.detail ?? detail)
                }
                isAtEnd = true
                continue
            }
            isAtEnd = false
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                takeNotifications()
                guard results.count == refusal?.query ?? askedCount, results.count <= askedCount else {
                    return .lost(detail: "PostgreSQL: \(results.count) answers to \(askedCount) questions")
                }
                defer { results = [] }
                meter = ReceivedBytes.unasked()
                return .all(results, refusal: refusal)
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
                results.append(QueryResult(takingOwnershipOf: result))
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                // libpq would tell the same for ever.
                PQclear(result)
                return .lost(detail: "PostgreSQL: the server copies, which nobody asked for")
            default:
                if refusal == nil { refusal = (error(of: result), results.count) }
                PQclear(result)
            }
        }
        takeNotifications()
        return .notAll
    }

    /// Reads what comes while nothing was asked: whether the connection is still there.
    func isAliveWhenIdle() -> Bool {
        guard consume(), !meter.isFull, PQisBusy(connection) == 1 || PQgetResult(connection) == nil else {
            return false
        }
        takeNotifications()
        return PQstatus(connection) == CONNECTION_OK
    }

    /// Reads what has come; false if the connection is lost.
    private func consume() -> Bool {
        let held = meter.held(by: socket)
        // OpenSSL may hold a rest of a record, up to 16 KiB, of which the socket tells nothing; libpq reads at least
        // half of that at a time.
        for _ in 0..<(PQsslInUse(connection) == 1 ? 3 : 1) {
            guard PQconsumeInput(connection) == 1 else { return false }
        }
        meter.count(held, nowHeldBy: socket)
        return true
    }

    /// libpq keeps what is notified until somebody asks for it, and nobody listens here.
    private func takeNotifications() {
        while let notification = PQnotifies(connection) { PQfreemem(notification) }
    }

    private func send(_ query: Query) -> Bool {
        switch query {
        case .prepare(let statement):
            return PQsendPrepare(connection, statement.rawValue, statement.sql, 0, nil) == 1
        case .run(let statement, let parameters):
            return Self.withPointers(to: parameters) { count, values, lengths, formats in
                PQsendQueryPrepared(connection, statement.rawValue, count, values, lengths, formats, 1)
            } == 1
        case .text(let text, let parameters):
            return Self.withPointers(to: parameters) { count, values, lengths, formats in
                PQsendQueryParams(connection, text, count, nil, values, lengths, formats, 1)
            } == 1
        }
    }

    private static func withPointers(
        to parameters: [Parameter],
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Int32
    ) -> Int32 {
        guard !parameters.isEmpty else { return body(0, nil, nil, nil) }
        var bytes: [UInt8] = []
        var lengths: [Int32] = []
        for parameter in parameters {
            let before = bytes.count
            parameter.append(to: &bytes)
            lengths.append(Int32(bytes.count - before))
        }
        let formats = [Int32](repeating: 1, count: parameters.count)
        // A pointer to no byte would be taken for NULL.
        bytes.append(0)
        return bytes.withUnsafeBytes { buffer in
            var values: [UnsafePointer<CChar>?] = []
            var offset = 0
            for length in lengths {
                values.append(buffer.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) })
                offset += Int(length)
            }
            return body(Int32(parameters.count), values, lengths, formats)
        }
    }

    private func error(of result: OpaquePointer) -> ServerError {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        return ServerError(
            sqlState: field(shim_PG_DIAG_SQLSTATE) ?? "",
            message: shown(field(shim_PG_DIAG_MESSAGE_PRIMARY) ?? String(cString: PQresultErrorMessage(result))))
    }

    /// Why the connection failed, in libpq's words on one line.
    private var detail: String { "PostgreSQL: " + shown(String(cString: PQerrorMessage(connection))) }

    private func shown(_ message: String) -> String {
        guard !address.isRevealed(by: message) else { return "a message that holds the password" }
        let line = message.split { $0.isNewline || $0 == "\t" }.joined(separator: " ")
        return line.isEmpty ? "the connection was lost" : line
    }
}

/// Sole owner of a list of C strings that ends with NULL.
private struct CStrings: ~Copyable {
    let pointers: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
        count = strings.count
        pointers = .allocate(capacity: strings.count + 1)
        for (index, string) in strings.enumerated() {
            let bytes = UnsafeMutableBufferPointer<CChar>.allocate(capacity: string.utf8.count + 1)
            _ = bytes.initialize(from: string.utf8CString)
            (pointers + index).initialize(to: UnsafePointer(bytes.baseAddress))
        }
        (pointers + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { pointers[index]?.deallocate() }
        pointers.deallocate()
    }
}
