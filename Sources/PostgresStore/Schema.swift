/// The tables of a store, as an append-only list of migrations.
///
/// Identifiers are stored as bytes and compared bytewise, whatever the database's encoding and collation. Rows that
/// belong to an order start with its merchant, so that a distributed database can keep them together.
enum Schema {
    /// One migration.
    struct Step {
        let name: String
        let statements: [String]
    }

    /// Every migration, oldest first. A released migration is never changed.
    static let steps = [
        Step(
            name: "orders, transactions and tokens",
            statements: [
                """
                CREATE TABLE orders (
                merchant BYTEA NOT NULL,
                id BYTEA NOT NULL,
                version BIGINT NOT NULL,
                document BYTEA NOT NULL,
                PRIMARY KEY (merchant, id))
                """,
                // The order's version after the transaction, which is also the transaction's position in the order.
                """
                CREATE TABLE transactions (
                merchant BYTEA NOT NULL,
                order_id BYTEA NOT NULL,
                id BYTEA NOT NULL,
                version BIGINT NOT NULL,
                fingerprint BYTEA NOT NULL,
                document BYTEA NOT NULL,
                PRIMARY KEY (merchant, order_id, id))
                """,
                // No foreign key: a token outlives the order that it paid for.
                """
                CREATE TABLE tokens (
                digest BYTEA PRIMARY KEY,
                merchant BYTEA NOT NULL,
                order_id BYTEA NOT NULL,
                is_credited BOOLEAN NOT NULL)
                """,
            ]),
        Step(
            name: "sealed texts",
            statements: [
                """
                CREATE TABLE sealed (
                name BYTEA PRIMARY KEY,
                revision BIGINT NOT NULL,
                expiry BIGINT,
                text BYTEA NOT NULL)
                """,
                "CREATE INDEX sealed_by_expiry ON sealed (expiry) WHERE expiry IS NOT NULL",
                // One row, so that nothing needs counting. Every insert and delete of an expiring item updates it.
                "CREATE TABLE sealed_count (one BIGINT PRIMARY KEY, expiring BIGINT NOT NULL)",
                "INSERT INTO sealed_count (one, expiring) VALUES (1, 0)",
            ]),
        Step(
            name: "writers",
            statements: [
                // Shows whether a batch was committed when the answer to its COMMIT was lost.
                """
                CREATE TABLE writers (
                id BYTEA PRIMARY KEY,
                batch BIGINT NOT NULL,
                used TIMESTAMP WITH TIME ZONE NOT NULL)
                """
            ]),
        Step(
            name: "installation",
            statements: [
                // One row, written at the first start: the mark of the installation key. A reset keeps it.
                "CREATE TABLE installation (one BIGINT PRIMARY KEY, mark BYTEA NOT NULL)"
            ]),
        Step(
            name: "instants of orders",
            statements: [
                // When the last transaction was answered, in milliseconds and in hours since 1970. Orders from before
                // this migration have neither, and are not pruned until they are written again.
                "ALTER TABLE orders ADD COLUMN updated BIGINT",
                "ALTER TABLE orders ADD COLUMN updated_hour BIGINT",
            ]),
        Step(
            name: "pruning",
            statements: [
                // Indexed by hour: equal entries take almost no space, and an order that is updated within the same
                // hour needs no new entry.
                "CREATE INDEX orders_by_hour ON orders (updated_hour)",
                "CREATE INDEX tokens_presented ON tokens (merchant, order_id) WHERE NOT is_credited",
                // One row: a lower bound on the number of orders. Pruning locks it.
                "CREATE TABLE pruning (one BIGINT PRIMARY KEY, orders BIGINT NOT NULL)",
                "INSERT INTO pruning (one, orders) VALUES (1, 0)",
            ]),
        Step(
            name: "particulars beside records",
            statements: [
                // Rows from before this migration keep their particulars in the document.
                "ALTER TABLE transactions ADD COLUMN particulars BYTEA"
            ]),
        Step(
            name: "sealed groups",
            statements: [
                // The item count of each group. Replaces sealed_count, which earlier versions on the same database
                // still maintain. Every insert and delete of an item updates it. Items from before this migration are
                // in no group.
                "ALTER TABLE sealed ADD COLUMN group_name BYTEA",
                "CREATE INDEX sealed_by_group ON sealed (group_name, expiry) WHERE expiry IS NOT NULL",
                "CREATE INDEX sealed_unused ON sealed (group_name, expiry) WHERE expiry IS NOT NULL AND revision = 1",
                "CREATE TABLE sealed_groups (name BYTEA PRIMARY KEY, items BIGINT NOT NULL)",
            ]),
        Step(
            name: "holds",
            statements: [
                // Which orders hold an item; the item is removed with the last of them. unheld_since is the instant
                // since which no order has held the item, in milliseconds, or isHeld. It is NULL for items that don't
                // follow orders. Items written before this migration, or by earlier versions on the same database, are
                // never removed this way.
                "ALTER TABLE sealed ADD COLUMN unheld_since BIGINT",
                "CREATE INDEX sealed_unheld ON sealed (unheld_since) WHERE unheld_since < 9223372036854775807",
                """
                CREATE TABLE holds (
                merchant BYTEA NOT NULL,
                order_id BYTEA NOT NULL,
                item BYTEA NOT NULL,
                PRIMARY KEY (merchant, order_id, item))
                """,
                "CREATE INDEX holds_by_item ON holds (item)",
            ]),
        Step(
            name: "listed orders",
            statements: [
                // When the order was made, in milliseconds, and the values by which lists of orders are searched. Orders
                // from before this migration, and those that earlier versions write on the same database, have none: the
                // partial indexes leave them out, so they are not listed until this version writes them.
                "ALTER TABLE orders ADD COLUMN created BIGINT",
                "ALTER TABLE orders ADD COLUMN status BYTEA",
                "ALTER TABLE orders ADD COLUMN amount BIGINT",
                "ALTER TABLE orders ADD COLUMN wallet BYTEA",
                "ALTER TABLE orders ADD COLUMN last_four BYTEA",
                "CREATE INDEX orders_listed ON orders (created) WHERE created IS NOT NULL",
                "CREATE INDEX orders_by_merchant ON orders (merchant, created) WHERE created IS NOT NULL",
                "CREATE INDEX orders_by_status ON orders (status, created) WHERE created IS NOT NULL",
                "CREATE INDEX orders_by_amount ON orders (amount, created) WHERE created IS NOT NULL",
                "CREATE INDEX orders_by_wallet ON orders (wallet, created) WHERE wallet IS NOT NULL",
                "CREATE INDEX orders_by_last_four ON orders (last_four, created) WHERE last_four IS NOT NULL",
            ]),
    ]

    /// The value of `unheld_since` while an order holds the item.
    static let isHeld = Int64.max

    static let table = "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, name BYTEA NOT NULL)"
    static let stepsTaken = "SELECT coalesce(max(number), 0)::bigint FROM migrations"
    static let record = "INSERT INTO migrations (number, name) VALUES ($1::bigint, $2::bytea)"

    /// The hour, since 1970, of an instant in milliseconds.
    static func hour(of milliseconds: Int64) -> Int64 {
        let (hours, rest) = milliseconds.quotientAndRemainder(dividingBy: 3_600_000)
        return rest < 0 ? hours - 1 : hours
    }

    static let addMark = "INSERT INTO installation (one, mark) VALUES (1, $1::bytea) ON CONFLICT DO NOTHING"
    static let findMark = "SELECT mark FROM installation"

    /// Removes writers that were unused for 30 days. Each start of the program adds one or two; a queue whose row is
    /// gone adds another.
    static let removalOfOldWriters = "DELETE FROM writers WHERE used < now() - interval '30 days'"

    /// Empties all data tables quickly. Gives up after one second if a long reader such as a backup holds a lock, as
    /// all other sessions would wait too.
    static let truncation = [
        "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", "SET LOCAL lock_timeout = 1000",
        "UPDATE pruning SET orders = 0", "TRUNCATE orders, transactions, tokens, sealed, sealed_groups, holds",
        "COMMIT",
    ]

    /// The fallback where TRUNCATE is not permitted or not possible: deletes every row, in the lock order of the
    /// writers. One snapshot covers all tables, so a concurrent commit is removed or kept as a whole.
    static let removal =
        [
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE", "SET LOCAL statement_timeout = 0",
            "UPDATE pruning SET orders = 0",
        ]
        + ["orders", "transactions", "tokens", "sealed_groups", "sealed", "holds"].map { "DELETE FROM \($0)" } + [
            "COMMIT"
        ]
}
