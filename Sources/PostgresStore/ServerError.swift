internal import Payments

/// What the server said against a query.
struct ServerError: Error, Equatable, Sendable {
    /// Five characters (PostgreSQL, appendix A); empty if there are none.
    let sqlState: String
    /// The primary message. The server's detail, which may hold what was to be stored, is never asked for.
    let message: String

    /// Whether the same transaction may succeed when it is run again from its beginning: it lost against another one.
    var isLostRace: Bool {
        // serialization_failure, deadlock_detected, unique_violation
        ["40001", "40P01", "23505"].contains(sqlState)
    }

    /// Whether another transaction made the same table at the same time: duplicate_table, duplicate_object.
    var isOfConcurrentDefinition: Bool { ["42P07", "42710"].contains(sqlState) }

    /// Whether a COMMIT that was answered so may have been done: statement_completion_unknown, and whatever is said of
    /// the connection rather than of the transaction.
    var leavesOutcomeUnknown: Bool {
        sqlState == "40003" || ["08", "57", "58", "XX"].contains(sqlState.prefix(2)) || sqlState.isEmpty
    }

    /// Whether it may be about what one caller gave rather than about the server: limits, data and constraints.
    var mayBeOfOneCaller: Bool { ["22", "23", "54"].contains(sqlState.prefix(2)) }

    /// Whether another connection may reach a server that can do it: read_only_sql_transaction after a failover.
    var asksForAnotherConnection: Bool { sqlState == "25006" || sqlState.hasPrefix("57P") }

    /// Whether it is about the state that the server is in, or about a race: it passes without anybody changing the
    /// database or the gateway's settings.
    var mayPass: Bool { asksForAnotherConnection || ["08", "40", "53", "55", "57", "58"].contains(sqlState.prefix(2)) }

    /// What the server's administrator can do about a database that can't be used as a store, if that is known.
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

/// Why an exchange with the server has no results, or not all.
enum ExchangeFailure: Error, Equatable, Sendable {
    /// No connection could be had; nothing was sent.
    case unsent(detail: String)
    /// The connection was lost, or nothing came in time. What was sent may have been done.
    case lost(detail: String)
    /// The server refused a query, counted from 0. Those after it were not run.
    case refused(ServerError, query: Int)

    var failure: StoreFailure {
        switch self {
        case .unsent(let detail), .lost(let detail): .unavailable(detail: detail)
        case .refused(let error, _): error.failure
        }
    }
}
