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
    ]

    static let table = "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, name BYTEA NOT NULL)"
    static let stepsTaken = "SELECT coalesce(max(number), 0)::bigint FROM migrations"
    static let record = "INSERT INTO migrations (number, name) VALUES ($1::bigint, $2::bytea)"

    static let addMark = "INSERT INTO installation (one, mark) VALUES (1, $1::bytea) ON CONFLICT DO NOTHING"
    static let findMark = "SELECT mark FROM installation"

    /// Each start of the program leaves a row or two. A queue whose row is gone adds another.
    static let removalOfOldWriters = "DELETE FROM writers WHERE used < now() - interval '30 days'"

    /// Everything that is put in, those first that a writer locks first. One snapshot sees all of them, so that what is
    /// committed at the same time goes or stays as a whole.
    static let reset =
        ["BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE", "SET LOCAL statement_timeout = 0"]
        + ["orders", "transactions", "tokens", "sealed"].map { "DELETE FROM \($0)" }
        + ["UPDATE sealed_count SET expiring = 0", "COMMIT"]
}
