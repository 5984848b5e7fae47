internal import GRDB

/// The tables of a store, as a list of named steps that only ever grows.
enum Schema {
    /// The tables that something is put into, those first that refer to others. What else there is follows from these.
    static let filledTables = ["holds", "transactions", "orders", "tokens", "sealed"]
    /// In place of the instant since when no order has held an item: one does.
    static let isHeld = Int64.max

    /// Every step, oldest first. A step that was released is never changed.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("orders, transactions and tokens") { database in
            // Row numbers are never given twice (AUTOINCREMENT), so that a token outlives the order it paid for.
            try database.execute(
                sql: """
                    CREATE TABLE orders (
                        row INTEGER PRIMARY KEY AUTOINCREMENT,
                        merchant TEXT NOT NULL,
                        id TEXT NOT NULL,
                        version INTEGER NOT NULL,
                        document BLOB NOT NULL,
                        UNIQUE (merchant, id)
                    );
                    CREATE TABLE transactions (
                        row INTEGER PRIMARY KEY,
                        orderRow INTEGER NOT NULL REFERENCES orders (row) ON DELETE CASCADE,
                        id TEXT NOT NULL,
                        fingerprint BLOB NOT NULL,
                        document BLOB NOT NULL,
                        UNIQUE (orderRow, id)
                    );
                    CREATE TABLE tokens (
                        digest BLOB PRIMARY KEY NOT NULL,
                        orderRow INTEGER NOT NULL,
                        isCredited INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("sealed texts") { database in
            // The count is kept up by the database itself, so that no writer can forget it and none has to count.
            try database.execute(
                sql: """
                    CREATE TABLE sealed (
                        row INTEGER PRIMARY KEY,
                        name BLOB NOT NULL UNIQUE,
                        revision INTEGER NOT NULL,
                        expiry INTEGER,
                        text BLOB NOT NULL
                    );
                    CREATE INDEX sealedByExpiry ON sealed (expiry) WHERE expiry IS NOT NULL;
                    CREATE TABLE sealedCount (expiring INTEGER NOT NULL);
                    INSERT INTO sealedCount VALUES (0);
                    CREATE TRIGGER sealedAdded AFTER INSERT ON sealed WHEN NEW.expiry IS NOT NULL
                    BEGIN UPDATE sealedCount SET expiring = expiring + 1; END;
                    CREATE TRIGGER sealedRemoved AFTER DELETE ON sealed WHEN OLD.expiry IS NOT NULL
                    BEGIN UPDATE sealedCount SET expiring = expiring - 1; END;
                    """)
        }
        migrator.registerMigration("installation") { database in
            // One row, from the first start on: under which key everything else is kept. No reset takes it away.
            try database.execute(sql: "CREATE TABLE installation (mark BLOB NOT NULL)")
        }
        // Otherwise GRDB looks up every reference in the file after a step, and a large file has many.
        migrator.registerMigration("order count", foreignKeyChecks: .immediate) { database in
            // Orders are numbered from 1 without gaps, so the last number less this is how many there are: none has to be
            // counted, and no commit keeps count. Until this step orders were only removed all at once.
            try database.execute(
                sql: """
                    CREATE TABLE removedOrders (count INTEGER NOT NULL);
                    INSERT INTO removedOrders SELECT coalesce(
                        (SELECT min(row) - 1 FROM orders),
                        (SELECT seq FROM sqlite_sequence WHERE name = 'orders'), 0);
                    CREATE TRIGGER orderRemoved AFTER DELETE ON orders
                    BEGIN UPDATE removedOrders SET count = count + 1; END;
                    """)
        }
        migrator.registerMigration("particulars beside records", foreignKeyChecks: .immediate) { database in
            // The last column, so that whoever reads the others reads none of its pages. Rows of before this step have them
            // in their records.
            try database.execute(sql: "ALTER TABLE transactions ADD COLUMN particulars BLOB")
        }
        migrator.registerMigration("sealed groups", foreignKeyChecks: .immediate) { database in
            // In place of one count of all: of each group how many items it has, kept up by the database itself. What was
            // written before counts in none.
            try database.execute(
                sql: """
                    DROP TRIGGER sealedAdded;
                    DROP TRIGGER sealedRemoved;
                    DROP TABLE sealedCount;
                    ALTER TABLE sealed ADD COLUMN groupName BLOB;
                    CREATE INDEX sealedUnused ON sealed (groupName, expiry)
                        WHERE revision = 1 AND expiry IS NOT NULL AND groupName IS NOT NULL;
                    CREATE TABLE sealedGroups (name BLOB PRIMARY KEY NOT NULL, items INTEGER NOT NULL) WITHOUT ROWID;
                    CREATE TRIGGER sealedAdded AFTER INSERT ON sealed WHEN NEW.groupName IS NOT NULL
                    BEGIN
                        INSERT INTO sealedGroups VALUES (NEW.groupName, 1)
                            ON CONFLICT (name) DO UPDATE SET items = items + 1;
                    END;
                    CREATE TRIGGER sealedRemoved AFTER DELETE ON sealed WHEN OLD.groupName IS NOT NULL
                    BEGIN UPDATE sealedGroups SET items = items - 1 WHERE name = OLD.groupName; END;
                    """)
        }
        migrator.registerMigration("probe", foreignKeyChecks: .immediate) { database in
            // One row, which means nothing.
            try database.execute(sql: "CREATE TABLE probe (row INTEGER PRIMARY KEY, content BLOB NOT NULL)")
        }
        migrator.registerMigration("holds", foreignKeyChecks: .immediate) { database in
            // Which orders hold an item; it goes with the last of them. Of each item that follows orders it is kept since when
            // no order has held it, in milliseconds, or isHeld. What was written before stays, whoever uses it.
            try database.execute(
                sql: """
                    ALTER TABLE sealed ADD COLUMN unheldSince INTEGER;
                    CREATE INDEX sealedUnheld ON sealed (unheldSince) WHERE unheldSince < 9223372036854775807;
                    CREATE TABLE holds (
                        orderRow INTEGER NOT NULL REFERENCES orders (row) ON DELETE CASCADE,
                        item INTEGER NOT NULL REFERENCES sealed (row) ON DELETE CASCADE,
                        PRIMARY KEY (orderRow, item)
                    ) WITHOUT ROWID;
                    CREATE INDEX holdsByItem ON holds (item);
                    CREATE TRIGGER holdRemoved AFTER DELETE ON holds
                    WHEN NOT EXISTS (SELECT 1 FROM holds WHERE item = OLD.item)
                    BEGIN DELETE FROM sealed WHERE row = OLD.item; END;
                    """)
        }
        return migrator
    }
}
