/// The tables of a store, as a list of named steps that only ever grows.
///
/// Identifiers are kept as bytes: two are the same only if their bytes are, whatever the database's encoding and collation.
/// What belongs to an order begins with its merchant, so that a distributed database can keep it together.
enum Schema {
    /// One step from a schema to the next.
    struct Step {
        let name: String
        let statements: [String]
    }

    /// Every step, oldest first. A step that was released is never changed.
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
                // The version is the one that the transaction gave its order, so it is also its place among the others.
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
                // One row, so that nobody has to count; whoever adds or removes an item keeps it up.
                "CREATE TABLE sealed_count (one BIGINT PRIMARY KEY, expiring BIGINT NOT NULL)",
                "INSERT INTO sealed_count (one, expiring) VALUES (1, 0)",
            ]),
        Step(
            name: "writers",
            statements: [
                // What tells whether a batch was committed whose answer was lost.
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
                // One row, from the first start on: under which key everything else is kept. No reset takes it away.
                "CREATE TABLE installation (one BIGINT PRIMARY KEY, mark BYTEA NOT NULL)"
            ]),
        Step(
            name: "instants of orders",
            statements: [
                // When the last transaction was answered, in milliseconds and in hours since 1970. An order of before this
                // step has neither until it is written again, and isn't pruned before.
                "ALTER TABLE orders ADD COLUMN updated BIGINT",
                "ALTER TABLE orders ADD COLUMN updated_hour BIGINT",
            ]),
        Step(
            name: "pruning",
            statements: [
                // Of hours, as equal entries take next to no room, and a row that is written again within the hour needs no
                // new one.
                "CREATE INDEX orders_by_hour ON orders (updated_hour)",
                "CREATE INDEX tokens_presented ON tokens (merchant, order_id) WHERE NOT is_credited",
                // One row: how many orders there are at least. Whoever prunes locks it.
                "CREATE TABLE pruning (one BIGINT PRIMARY KEY, orders BIGINT NOT NULL)",
                "INSERT INTO pruning (one, orders) VALUES (1, 0)",
            ]),
        Step(
            name: "particulars beside records",
            statements: [
                // Rows of before this step have them in their documents.
                "ALTER TABLE transactions ADD COLUMN particulars BYTEA"
            ]),
        Step(
            name: "sealed groups",
            statements: [
                // Of each group how many items it has, in place of sealed_count, which earlier versions keep on one database
                // with this one. Whoever adds an item or removes one keeps it up. What was written before is in no group.
                "ALTER TABLE sealed ADD COLUMN group_name BYTEA",
                "CREATE INDEX sealed_by_group ON sealed (group_name, expiry) WHERE expiry IS NOT NULL",
                "CREATE INDEX sealed_unused ON sealed (group_name, expiry) WHERE expiry IS NOT NULL AND revision = 1",
                "CREATE TABLE sealed_groups (name BYTEA PRIMARY KEY, items BIGINT NOT NULL)",
            ]),
        Step(
            name: "holds",
            statements: [
                // Which orders hold an item; it goes with the last of them. Of each item that follows orders it is kept since
                // when no order has held it, in milliseconds, or isHeld. What was written before this step, or is by earlier
                // versions on one database with this one, stays, whoever uses it.
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
    ]

    /// In place of the instant since when no order has held an item: one does.
    static let isHeld = Int64.max

    static let table = "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, name BYTEA NOT NULL)"
    static let stepsTaken = "SELECT coalesce(max(number), 0)::bigint FROM migrations"
    static let record = "INSERT INTO migrations (number, name) VALUES ($1::bigint, $2::bytea)"

    /// The hour of an instant in milliseconds.
    static func hour(of milliseconds: Int64) -> Int64 {
        let (hours, rest) = milliseconds.quotientAndRemainder(dividingBy: 3_600_000)
        return rest < 0 ? hours - 1 : hours
    }

    static let addMark = "INSERT INTO installation (one, mark) VALUES (1, $1::bytea) ON CONFLICT DO NOTHING"
    static let findMark = "SELECT mark FROM installation"

    /// Each start of the program leaves a row or two. A queue whose row is gone adds another.
    static let removalOfOldWriters = "DELETE FROM writers WHERE used < now() - interval '30 days'"

    /// Empties every table that something is put into, whatever they hold, unless somebody who looks at them for long (a
    /// backup) keeps them: everyone else waits meanwhile.
    static let truncation = [
        "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", "SET LOCAL lock_timeout = 1000",
        "UPDATE pruning SET orders = 0", "TRUNCATE orders, transactions, tokens, sealed, sealed_groups, holds",
        "COMMIT",
    ]

    /// The same for whoever may not do that, or can't: removes each row, those first that a writer locks first. One snapshot
    /// sees all of them, so that what is committed at the same time goes or stays as a whole.
    static let removal =
        [
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE", "SET LOCAL statement_timeout = 0",
            "UPDATE pruning SET orders = 0",
        ]
        + ["orders", "transactions", "tokens", "sealed_groups", "sealed", "holds"].map { "DELETE FROM \($0)" } + [
            "COMMIT"
        ]
}
