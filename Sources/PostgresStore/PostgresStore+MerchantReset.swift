public import Values
public import Vault

extension PostgresStore {
    /// Removes one merchant's orders, tokens and sealed items, on a connection of its own, in short transactions.
    ///
    /// A commit to an order of the merchant waits for one of these transactions; those of other merchants wait for none.
    public func reset(_ merchant: MerchantID, groups: [[UInt8]]) async throws(StoreFailure) {
        try commits.checkOpen()
        try await administration.reset(MerchantRows(merchant: Array(merchant.text.utf8), groups: groups))
    }
}

/// What the reset of one merchant removes, and the queries for it.
struct MerchantRows: Sendable {
    /// The most orders that one transaction removes.
    static let ordersMax = 32
    /// The most items, or tokens, that one transaction removes.
    static let rowsMax = 256

    let merchant: [UInt8]
    let groups: [[UInt8]]

    private static let isFree = "(unheld_since IS NULL OR unheld_since < \(Schema.isHeld))"
    private static let isOfNoOrder =
        "NOT EXISTS (SELECT 1 FROM orders WHERE orders.merchant = tokens.merchant AND orders.id = tokens.order_id)"

    /// The next of the merchant's orders.
    func orders(after id: [UInt8]) -> Query {
        .text(
            """
            SELECT id FROM orders WHERE merchant = $1::bytea AND id > $2::bytea
            ORDER BY id LIMIT \(Self.ordersMax)
            """, [.bytes(merchant), .bytes(id)])
    }

    /// The next of the tokens that the merchant's orders credited. An order that was made meanwhile keeps its own.
    func tokens(after digest: [UInt8]) -> Query {
        .text(
            """
            SELECT digest FROM tokens WHERE merchant = $1::bytea AND digest > $2::bytea AND \(Self.isOfNoOrder)
            ORDER BY digest LIMIT \(Self.rowsMax)
            """, [.bytes(merchant), .bytes(digest)])
    }

    func removal(ofTokens digests: [[UInt8]]) -> Query {
        .text(
            """
            DELETE FROM tokens WHERE digest = ANY ($2::bytea[]) AND merchant = $1::bytea AND \(Self.isOfNoOrder)
            """, [.bytes(merchant), .bytesArray(digests)])
    }

    /// The next of the items in the merchant's groups that no order holds.
    func items(after name: [UInt8]) -> Query {
        .text(
            """
            SELECT name FROM sealed WHERE group_name = ANY ($1::bytea[]) AND name > $2::bytea AND \(Self.isFree)
            ORDER BY name LIMIT \(Self.rowsMax)
            """, [.bytesArray(groups), .bytes(name)])
    }

    /// Removes those locked items that no order holds by now.
    func removal(ofItems names: [[UInt8]]) -> Query {
        .text(
            """
            DELETE FROM sealed WHERE name = ANY ($1::bytea[]) AND group_name = ANY ($2::bytea[]) AND \(Self.isFree)
            RETURNING group_name
            """, [.bytesArray(names), .bytesArray(groups)])
    }
}
