import Foundation
import GRDB
import JSON
import Payments
import SQLiteStore
import TestSupport
import Testing
import Values
import Vault

/// What lies on the disk of sessions and tokens.
@Suite(.serialized)
struct SealedDataTests {
    private static let instant = TestPayment.instant
    private static let fields: JSONValue = [
        "customer": ["email": "payer@example.com"],
        "sourceOfFunds": [
            "provided": [
                "card": [
                    "devicePayment": [
                        "paymentToken": "an encrypted token", "onlinePaymentCryptogram": "IA/8pdiWftSsxpFT6wABoDABhgA=",
                    ],
                    "expiry": ["month": "05", "year": "39"], "nameOnCard": "JOHN Q. CARDHOLDER",
                    "number": "5123450000000008", "securityCode": "9172",
                ]
            ]
        ],
    ]

    @Test func `nothing that a session or token holds is found in the files, nor what names them`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let store = try SQLiteStore(path: directory.path + "/store.sqlite")
        let merchant = try MerchantID("TESTMERCHANT")
        let sessions = Sessions(store: store, keys: try .test())
        let tokens = CardTokens(store: store, keys: try .test())
        let session = try await sessions.create(for: merchant, authenticationLimit: 3, at: Self.instant)
        let fields = try StoredFields.of(Self.fields)
        _ = try await sessions.update(session.id, of: merchant, expecting: nil, with: fields, at: Self.instant)
        let token = try await tokens.create(for: merchant, fields.root, .basic, at: Self.instant)
        try await tokens.markUsed(token.id, of: merchant, at: Self.instant)

        let open = try files(in: directory)
        try store.close()
        for file in try open + files(in: directory) {
            for secret in [
                "5123450000000008", "9172,", "\"9172\"", "IA/8pdiWftSsxpFT6wABoDABhgA=", "JOHN Q. CARDHOLDER",
                "an encrypted token", "payer@example.com", session.id, token.id, "securityCode",
            ] {
                #expect(!CardDataTests.codings(of: secret).contains { file.range(of: $0) != nil }, "\(secret)")
            }
        }
    }

    @Test(arguments: [
        "UPDATE sealed SET text = X'01'", "UPDATE sealed SET text = 5", "UPDATE sealed SET revision = 'x'",
        "UPDATE sealed SET revision = 0", "UPDATE sealed SET expiry = 'x'",
        "UPDATE sealed SET text = (SELECT text FROM sealed AS other WHERE other.row <> sealed.row)",
    ])
    func `what was tampered with is damaged, and opens nothing`(damage: String) async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        let store = try SQLiteStore(path: path)
        let merchant = try MerchantID("TESTMERCHANT")
        let sessions = Sessions(store: store, keys: try .test())
        let session = try await sessions.create(for: merchant, authenticationLimit: nil, at: Self.instant)
        _ = try await sessions.create(for: merchant, authenticationLimit: nil, at: Self.instant)
        let writer = try DatabaseQueue(path: path)
        try await writer.write { try $0.execute(sql: damage) }
        try writer.close()
        await #expect {
            try await sessions.retrieve(session.id, of: merchant, at: Self.instant)
        } throws: { error in
            guard case .storeUnavailable(.damaged) = error as? SessionRefusal else { return false }
            return true
        }
        try store.close()
    }

    @Test func `a closed store is unavailable`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let store = try SQLiteStore(path: directory.path + "/store.sqlite")
        try store.close()
        let item = SealedItem(name: [UInt8](repeating: 1, count: 32), revision: 1, expiry: nil, text: [])
        for operation in [
            { _ = try await store.item(item.name) }, { _ = try await store.remove(item.name) },
            { _ = try await store.put(item, at: Self.instant, in: nil) },
            { _ = try await store.removeExpired(at: Self.instant, countMax: 1) },
        ] as [() async throws -> Void] {
            await #expect { try await operation() } throws: { error in
                guard case .unavailable = error as? StoreFailure else { return false }
                return true
            }
        }
    }

    @Test func `a file of the version before is opened with its content`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        let first = try SQLiteStore(path: path)
        #expect(try await first.commit(CommitFixture()) == .committed)
        try first.close()
        let writer = try DatabaseQueue(path: path)
        try await writer.write {
            try $0.execute(
                sql: """
                    DROP TABLE holds; DROP TABLE sealed; DROP TABLE sealedGroups;
                    DELETE FROM grdb_migrations WHERE identifier IN ('sealed texts', 'sealed groups', 'holds');
                    """)
        }
        try writer.close()
        let second = try SQLiteStore(path: path)
        let item = SealedItem(
            name: [UInt8](repeating: 1, count: 32), revision: 1, expiry: Self.instant, text: [1])
        #expect(try await second.put(item, at: Self.instant, in: nil) == .written)
        #expect(try await second.history(of: CommitFixture().key)?.transactions.count == 1)
        try second.close()
    }

    private func files(in directory: TemporaryDirectory) throws -> [Data] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).map {
            try Data(contentsOf: URL(fileURLWithPath: directory.path + "/" + $0))
        }
    }
}
