internal import Vault

/// An error that the server reported for a query.
struct ServerError: Error, Equatable, Sendable {
    /// The five-character SQLSTATE (PostgreSQL, appendix A); empty if there is none.
    let sqlState: String
    /// The primary message. The detail field is never read, as it may contain stored values.
    let message: String

    /// Whether the transaction conflicted with another one, so that a retry from its beginning may succeed.
    var isConflict: Bool {
        // serialization_failure, deadlock_detected, unique_violation
        ["40001", "40P01", "23505"].contains(sqlState)
    }

    /// Whether another transaction created the same table at the same time: duplicate_table, duplicate_object.
    var isOfConcurrentDefinition: Bool { ["42P07", "42710"].contains(sqlState) }

    /// Whether a COMMIT with this error may still have been done: statement_completion_unknown, and errors of the
    /// connection rather than the transaction.
    var leavesOutcomeUnknown: Bool {
        sqlState == "40003" || ["08", "57", "58", "XX"].contains(sqlState.prefix(2)) || sqlState.isEmpty
    }

    /// Whether the error may be caused by one caller's values rather than by the server: limits, data and constraints.
    var mayBeOfOneCaller: Bool { ["22", "23", "54"].contains(sqlState.prefix(2)) }

    /// Whether another connection may reach a server that accepts writes: read_only_sql_transaction after a failover.
    var asksForAnotherConnection: Bool { sqlState == "25006" || sqlState.hasPrefix("57P") }

    /// Whether the error is transient: caused by the server's state or by a conflict. It passes without a change to the
    /// database or the gateway's settings.
    var mayPass: Bool { asksForAnotherConnection || ["08", "40", "53", "55", "57", "58"].contains(sqlState.prefix(2)) }

    /// What the server's administrator can do about an unusable database; nil if unknown.
    var remedy: String? {
        switch sqlState {
        // insufficient_privilege
        case "42501":
            "the gateway's user must be allowed to make tables in the first schema of its search path (GRANT USAGE, CREATE ON "
                + "SCHEMA … TO …), and own those that are there"
        // invalid_schema_name
        case "3F000":
            "the search path of the gateway's user names no schema that is there and that it may use (CREATE "
                + "SCHEMA …, GRANT USAGE, CREATE ON SCHEMA … TO …)"
        default: nil
        }
    }

    var failure: StoreFailure {
        // data_corrupted, index_corrupted
        ["XX001", "XX002"].contains(sqlState) ? .damaged(detail: detail) : .unavailable(detail: detail)
    }

    var detail: String { "PostgreSQL \(sqlState): \(message)" }
}

/// Why an exchange with the server returned no results, or not all.
enum ExchangeFailure: Error, Equatable, Sendable {
    /// No connection could be opened; nothing was sent.
    case unsent(detail: String)
    /// The connection was lost or timed out. The queries may have been carried out.
    case lost(detail: String)
    /// The server refused the query at this index, counted from 0. Later queries were not run.
    case refused(ServerError, query: Int)

    var failure: StoreFailure {
        switch self {
        case .unsent(let detail), .lost(let detail): .unavailable(detail: detail)
        case .refused(let error, _): error.failure
        }
    }
}
