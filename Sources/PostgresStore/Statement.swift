/// The statements that every connection prepares.
///
/// They avoid what distributed PostgreSQL-compatible databases lack. Writes to orders and transactions name one
/// merchant, which is the distribution key. No statement relies on sequences, notifications, triggers or advisory
/// locks.
enum Statement: String, CaseIterable, Sendable {
    // Transactions.
    case begin
    case commit
    case rollback
    case advanceWriter
    case addWriter
    case findWriter

    // Orders.
    case recall
    case history
    case transaction
    case ledger
    case ledgerEntry
    case countParticulars
    case lockOrders
    case findTransactions
    case findTokens
    case insertOrders
    case updateOrders
    case insertTransactions
    case insertTokens
    case creditTokens

    // Sealed items.
    case findItem
    case addGroups
    case lockGroups
    case lockAllGroups
    case lockItems
    case removeExpiredItems
    case removeExpiredItemsOfGroups
    case findUnusedItems
    case insertItems
    case holdItems
    case insertHolds
    case updateItems
    case removeItems
    case changeGroups

    var sql: String {
        switch self {
        // Overrides the database's defaults.
        case .begin: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        case .advanceWriter:
            "UPDATE writers SET batch = $3::bigint, used = now() WHERE id = $1::bytea AND batch = $2::bigint"
        case .addWriter: "INSERT INTO writers (id, batch, used) VALUES ($1::bytea, 0, now()) ON CONFLICT DO NOTHING"
        case .findWriter: "SELECT batch FROM writers WHERE id = $1::bytea"

        case .recall:
            """
            SELECT orders.document, transactions.document, transactions.fingerprint, transactions.particulars FROM orders
            LEFT JOIN transactions ON transactions.merchant = orders.merchant
            AND transactions.order_id = orders.id AND transactions.id = $3::bytea
            WHERE orders.merchant = $1::bytea AND orders.id = $2::bytea
            """
        case .history:
            Self.rows(
                of: "octet_length(transactions.document) + coalesce(octet_length(transactions.particulars), 0)",
                "document", "particulars")
        case .transaction:
            """
            SELECT document, particulars FROM transactions
            WHERE merchant = $1::bytea AND order_id = $2::bytea AND version = $3::bigint
            """
        case .ledger: Self.rows(of: "octet_length(transactions.document)", "document")
        case .ledgerEntry:
            """
            SELECT document FROM transactions
            WHERE merchant = $1::bytea AND order_id = $2::bytea AND version = $3::bigint
            """
        case .countParticulars:
            """
            SELECT coalesce(sum(octet_length(document) + coalesce(octet_length(particulars), 0)), 0)::bigint
            FROM transactions WHERE merchant = $1::bytea AND order_id = $2::bytea
            """
        case .lockOrders:
            """
            SELECT id, version FROM orders WHERE merchant = $1::bytea AND id = ANY ($2::bytea[]) ORDER BY id FOR UPDATE
            """
        case .findTransactions:
            """
            SELECT transactions.order_id, transactions.id
            FROM unnest($2::bytea[], $3::bytea[]) AS asked (order_id, id)
            JOIN transactions ON transactions.merchant = $1::bytea
            AND transactions.order_id = asked.order_id AND transactions.id = asked.id
            """
        case .findTokens:
            "SELECT digest, merchant, order_id, is_credited FROM tokens WHERE digest = ANY ($1::bytea[])"
        case .insertOrders:
            """
            INSERT INTO orders (merchant, id, version, document, updated, updated_hour,
            created, status, amount, wallet, last_four)
            SELECT $1::bytea, new.id, new.version, new.document, new.updated, new.updated_hour,
            new.created, new.status, new.amount, nullif(new.wallet, ''::bytea), nullif(new.last_four, ''::bytea)
            FROM \(Self.orderRows)
            """
        case .updateOrders:
            """
            UPDATE orders SET version = new.version, document = new.document,
            updated = new.updated, updated_hour = new.updated_hour, created = new.created, status = new.status,
            amount = new.amount, wallet = nullif(new.wallet, ''::bytea), last_four = nullif(new.last_four, ''::bytea)
            FROM \(Self.orderRows)
            WHERE orders.merchant = $1::bytea AND orders.id = new.id
            """
        case .insertTransactions:
            """
            INSERT INTO transactions (merchant, order_id, id, version, fingerprint, document, particulars)
            SELECT $1::bytea, new.order_id, new.id, new.version, new.fingerprint, new.document,
            nullif(new.particulars, ''::bytea)
            FROM unnest($2::bytea[], $3::bytea[], $4::bigint[], $5::bytea[], $6::bytea[], $7::bytea[])
            AS new (order_id, id, version, fingerprint, document, particulars)
            """
        case .insertTokens:
            """
            INSERT INTO tokens (digest, merchant, order_id, is_credited)
            SELECT new.digest, new.merchant, new.order_id, new.is_credited
            FROM unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::boolean[])
            AS new (digest, merchant, order_id, is_credited)
            """
        case .creditTokens:
            """
            UPDATE tokens SET merchant = new.merchant, order_id = new.order_id, is_credited = true
            FROM unnest($1::bytea[], $2::bytea[], $3::bytea[]) AS new (digest, merchant, order_id)
            WHERE tokens.digest = new.digest
            """

        case .findItem: "SELECT revision, expiry, text FROM sealed WHERE name = $1::bytea"
        case .lockItems:
            """
            SELECT name, revision, group_name, unheld_since FROM sealed WHERE name = ANY ($1::bytea[])
            ORDER BY name FOR UPDATE
            """
        case .addGroups:
            """
            INSERT INTO sealed_groups (name, items) SELECT new.name, 0 FROM unnest($1::bytea[]) AS new (name)
            ON CONFLICT DO NOTHING
            """
        case .lockGroups:
            """
            SELECT name, items FROM sealed_groups WHERE name IN (
            SELECT unnest($1::bytea[]) UNION ALL SELECT group_name FROM sealed WHERE name = ANY ($2::bytea[]))
            ORDER BY name FOR UPDATE
            """
        case .lockAllGroups: "SELECT name, items FROM sealed_groups ORDER BY name FOR UPDATE"
        case .removeExpiredItems:
            """
            DELETE FROM sealed WHERE name IN (
            SELECT name FROM sealed WHERE expiry <= $1::bigint AND NOT name = ANY ($3::bytea[])
            ORDER BY expiry LIMIT $2::bigint) RETURNING group_name
            """
        case .removeExpiredItemsOfGroups:
            """
            DELETE FROM sealed WHERE name IN (
            SELECT name FROM sealed WHERE group_name = ANY ($4::bytea[]) AND expiry <= $1::bigint
            AND NOT name = ANY ($3::bytea[]) ORDER BY expiry LIMIT $2::bigint) RETURNING group_name
            """
        case .findUnusedItems:
            // An item that another transaction has locked is in use.
            """
            SELECT name FROM sealed WHERE group_name = $1::bytea AND revision = 1 AND expiry IS NOT NULL
            AND NOT name = ANY ($2::bytea[])
            AND (SELECT items FROM sealed_groups WHERE name = $1::bytea) + $3::bigint > $4::bigint
            ORDER BY expiry LIMIT $3::bigint FOR UPDATE SKIP LOCKED
            """
        case .insertItems:
            """
            INSERT INTO sealed (name, revision, expiry, text, group_name, unheld_since)
            SELECT new.name, new.revision, new.expiry, new.text, nullif(new.group_name, ''::bytea), new.unheld_since
            FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[], $6::bigint[])
            AS new (name, revision, expiry, text, group_name, unheld_since)
            """
        case .holdItems: "UPDATE sealed SET unheld_since = \(Schema.isHeld) WHERE name = ANY ($1::bytea[])"
        case .insertHolds:
            // DO UPDATE, so that an order that already holds the item still counts as a written row.
            """
            INSERT INTO holds (merchant, order_id, item) SELECT new.merchant, new.order_id, new.item
            FROM unnest($1::bytea[], $2::bytea[], $3::bytea[]) AS new (merchant, order_id, item)
            ON CONFLICT (merchant, order_id, item) DO UPDATE SET item = excluded.item
            """
        case .updateItems:
            """
            UPDATE sealed SET revision = new.revision, expiry = new.expiry, text = new.text
            FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[]) AS new (name, revision, expiry, text)
            WHERE sealed.name = new.name
            """
        case .removeItems: "DELETE FROM sealed WHERE name = ANY ($1::bytea[])"
        case .changeGroups:
            """
            UPDATE sealed_groups SET items = sealed_groups.items + change.items
            FROM unnest($1::bytea[], $2::bigint[]) AS change (name, items) WHERE sealed_groups.name = change.name
            """
        }
    }
}

extension Statement {
    /// Transactions above this many bytes are read by separate queries, so that no answer is large, whatever the
    /// order's size.
    private static let largeByteCount = 64 << 10

    /// The written orders as rows; an empty wallet or last four stands for none.
    private static let orderRows = """
        unnest($2::bytea[], $3::bigint[], $4::bytea[], $5::bigint[], $6::bigint[],
        $7::bigint[], $8::bytea[], $9::bigint[], $10::bytea[], $11::bytea[])
        AS new (id, version, document, updated, updated_hour, created, status, amount, wallet, last_four)
        """

    /// An order with its transactions, oldest first. The columns are the order's document, the transaction's version,
    /// whether it is large, and `columns`, which are NULL if it is.
    private static func rows(of byteCount: String, _ columns: String...) -> String {
        let small = columns.map { "CASE WHEN \(byteCount) <= \(largeByteCount) THEN transactions.\($0) END" }
        return """
            SELECT orders.document, transactions.version, \(byteCount) > \(largeByteCount), \(small.joined(separator: ", "))
            FROM orders
            JOIN transactions ON transactions.merchant = orders.merchant AND transactions.order_id = orders.id
            WHERE orders.merchant = $1::bytea AND orders.id = $2::bytea ORDER BY transactions.version
            """
    }
}

extension Query {
    /// Prepares an operator's session: overrides the role's statement and lock timeouts.
    ///
    /// - Parameter idleMilliseconds: the server's `idle_in_transaction_session_timeout`. It ends the transaction of a
    ///   client that is gone, as others wait for its locks.
    static func operatorPreparation(idleMilliseconds: Int) -> [Query] {
        [.statementTimeout(milliseconds: 0)]
            + [.settings(timeouts(idleMilliseconds: idleMilliseconds))]
    }

    /// Prepares a new session: its timeouts and settings, then every statement.
    static func preparation(_ timing: Timing) -> [Query] {
        [
            .statementTimeout(milliseconds: timing.answerMilliseconds - 200),
            .settings(
                timeouts(idleMilliseconds: timing.answerMilliseconds) + [
                    ("client_min_messages", "error"), ("enable_seqscan", "off"), ("enable_hashjoin", "off"),
                    ("enable_mergejoin", "off"), ("jit", "off"),
                ]),
            .text(
                """
                SELECT set_config(name, 'on', false) FROM pg_settings
                WHERE name = 'synchronous_commit' AND setting = 'off'
                """),
        ] + Statement.allCases.map { .prepare($0) }
    }

    /// Sent first, as the role's own timeout applies until it has run.
    private static func statementTimeout(milliseconds: Int) -> Query {
        .text("SET statement_timeout = \(milliseconds)")
    }

    /// Overrides the timeouts of the role and the database. A writer waits for locks until its statement times out.
    private static func timeouts(idleMilliseconds: Int) -> [(name: String, value: String)] {
        [
            ("idle_in_transaction_session_timeout", "\(idleMilliseconds)"), ("idle_session_timeout", "0"),
            ("lock_timeout", "0"), ("transaction_timeout", "0"), ("default_transaction_read_only", "off"),
        ]
    }

    /// Sets only those settings that the server knows, as PostgreSQL-compatible databases lack some.
    private static func settings(_ settings: [(name: String, value: String)]) -> Query {
        let values = settings.map { "('\($0.name)', '\($0.value)')" }.joined(separator: ", ")
        return .text(
            """
            SELECT set_config(pg_settings.name, new.value, false) FROM pg_settings
            JOIN (VALUES \(values)) AS new (name, value) ON new.name = pg_settings.name
            """)
    }
}
