internal import CLibPQ

/// Sole owner of one `PGconn` in pipeline mode. It never blocks, except while libpq resolves a host name.
///
/// - Source: PostgreSQL 15, "34.4. Asynchronous Command Processing" and "34.5. Pipeline Mode"
final class Session {
    /// The progress of a connection attempt.
    enum Progress {
        case waiting(forWriting: Bool)
        case connected
        case failed(detail: String)
    }

    /// The state of an exchange.
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

    /// Starts to connect. Returns nil if out of memory.
    init?(to address: ServerAddress) {
        let keywords = CStrings(address.keywords)
        let values = CStrings(address.values)
        guard let connection = PQconnectStartParams(keywords.pointers, values.pointers, 0) else { return nil }
        self.connection = connection
        self.address = address
        // By default libpq prints the server's notices.
        _ = PQsetNoticeReceiver(connection, { _, _ in }, nil)
    }

    deinit { PQfinish(connection) }

    /// May change with each step of connecting; -1 if there is no socket.
    var socket: Int32 { PQsocket(connection) }

    /// Performs the next step of connecting.
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

    /// Buffers queries and the end of their pipeline.
    ///
    /// From here until the last answer the server may send up to ``ReceivedBytes/answersMax`` bytes.
    ///
    /// - Returns: nil if the queries were sent or buffered, otherwise the connection's error.
    func send(_ queries: [Query]) -> String? {
        askedCount = queries.count
        results = []
        results.reserveCapacity(queries.count)
        refusal = nil
        meter = ReceivedBytes.answers()
        for query in queries where !send(query) { return detail }
        return PQpipelineSync(connection) == 1 ? nil : detail
    }

    /// Writes the buffer to the socket.
    ///
    /// - Returns: true if the buffer is empty, false if data is left, nil if the connection is lost.
    func flush() -> Bool? {
        // libpq reads when it can't write.
        let held = meter.held(by: socket)
        let status = PQflush(connection)
        if status == 1 { meter.count(held, nowHeldBy: socket) }
        return status == 0 ? true : status == 1 ? false : nil
    }

    /// Reads received data, up to the end of the pipeline.
    ///
    /// libpq returns one result and then nil for each query that succeeds. Queries after a failed one get a result that
    /// says so. The end of the pipeline is one result without a nil after it. Anything else is a protocol violation,
    /// and the connection is dropped.
    func receive() -> Received {
        guard consume() else { return .lost(detail: refusal?.error.detail ?? detail) }
        guard !meter.isFull else { return .lost(detail: meter.detail) }
        var isAtEnd = false
        while PQisBusy(connection) == 0 {
            guard let result = PQgetResult(connection) else {
                // Nil ends one query's results. A second nil in a row occurs only if libpq expects nothing more.
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
                // libpq would return this result forever.
                PQclear(result)
                return .lost(detail: "PostgreSQL: the server began an unsolicited COPY")
            default:
                if refusal == nil { refusal = (error(of: result), results.count) }
                PQclear(result)
            }
        }
        takeNotifications()
        return .notAll
    }

    /// Reads received data while no query is outstanding. Returns whether the connection is still alive.
    func isAliveWhenIdle() -> Bool {
        guard consume(), !meter.isFull, PQisBusy(connection) == 1 || PQgetResult(connection) == nil else {
            return false
        }
        takeNotifications()
        return PQstatus(connection) == CONNECTION_OK
    }

    /// Reads received data. Returns false if the connection is lost.
    private func consume() -> Bool {
        let held = meter.held(by: socket)
        // OpenSSL may buffer the rest of a TLS record, up to 16 KiB, which the socket's readiness does not show. libpq
        // reads at least half of that at a time.
        for _ in 0..<(PQsslInUse(connection) == 1 ? 3 : 1) {
            guard PQconsumeInput(connection) == 1 else { return false }
        }
        meter.count(held, nowHeldBy: socket)
        return true
    }

    /// Discards notifications, which libpq would otherwise keep in memory.
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
        // libpq takes a null pointer for NULL, so even empty values need a valid pointer.
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

    /// libpq's error message for the connection, on one line.
    private var detail: String { "PostgreSQL: " + shown(String(cString: PQerrorMessage(connection))) }

    private func shown(_ message: String) -> String {
        guard !address.isRevealed(by: message) else { return "a message that holds the password" }
        let line = message.split { $0.isNewline || $0 == "\t" }.joined(separator: " ")
        return line.isEmpty ? "the connection was lost" : line
    }
}

/// Sole owner of a NULL-terminated array of C strings.
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
