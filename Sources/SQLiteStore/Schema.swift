internal import GRDB

/// The tables of a store, as an append-only list of migrations.
enum Schema {
    /// The tables that receive data, referencing tables first. Triggers maintain all other tables.
    static let filledTables = ["holds", "listed", "transactions", "orders", "tokens", "sealed"]
    /// The value of `unheldSince` while an order holds the item.
    static let isHeld = Int64.max

    /// Every migration, oldest first. A released migration is never changed.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("orders, transactions and tokens") { database in
            // AUTOINCREMENT never reuses row numbers, so a token can outlive the order that it paid for.
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
            // Triggers maintain the count, so that no writer can forget it and nothing needs counting.
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
            // One row, written at the first start: the mark of the installation key. A reset keeps it.
            try database.execute(sql: "CREATE TABLE installation (mark BLOB NOT NULL)")
        }
        // Otherwise GRDB checks every foreign key in the file after a migration, which is slow in a large file.
        migrator.registerMigration("order count", foreignKeyChecks: .immediate) { database in
            // Orders are numbered from 1 without gaps. The last number minus this count is the number of orders, so no
            // commit maintains a counter. Before this migration, orders were only removed all at once.
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
            // The last column, so that reading the others reads none of its pages. Rows from before this migration keep
            // their particulars in the record.
            try database.execute(sql: "ALTER TABLE transactions ADD COLUMN particulars BLOB")
        }
        migrator.registerMigration("sealed groups", foreignKeyChecks: .immediate) { database in
            // Replaces the single count by one for each group, which triggers maintain. Items from before this
            // migration are in no group.
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
            // A single row without meaning.
            try database.execute(sql: "CREATE TABLE probe (row INTEGER PRIMARY KEY, content BLOB NOT NULL)")
        }
        migrator.registerMigration("holds", foreignKeyChecks: .immediate) { database in
            // Which orders hold an item; the item is removed with the last of them. unheldSince is the instant since
            // which no order has held the item, in milliseconds, or isHeld. It is NULL for items that don't follow
            // orders. Items from before this migration are never removed this way.
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
        migrator.registerMigration("listed orders", foreignKeyChecks: .immediate) { database in
            // The values by which lists of orders are searched. Each index is in the order of the rows, which is the order
            // in which the orders were made. Orders from before this migration have no entry until they are written
            // again: an index over the existing orders would read the whole file.
            try database.execute(
                sql: """
                    CREATE TABLE listed (
                        row INTEGER PRIMARY KEY REFERENCES orders (row) ON DELETE CASCADE,
                        merchant TEXT NOT NULL,
                        status TEXT NOT NULL,
                        amount INTEGER NOT NULL,
                        wallet TEXT,
                        lastFour TEXT
                    );
                    CREATE INDEX listedByMerchant ON listed (merchant);
                    CREATE INDEX listedByStatus ON listed (status);
                    CREATE INDEX listedByAmount ON listed (amount);
                    CREATE INDEX listedByWallet ON listed (wallet) WHERE wallet IS NOT NULL;
                    CREATE INDEX listedByLastFour ON listed (lastFour) WHERE lastFour IS NOT NULL;
                    """)
        }
        return migrator
    }
}
