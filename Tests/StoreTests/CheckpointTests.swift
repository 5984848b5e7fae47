import Foundation
import SQLiteStore
import TestSupport
import Testing
import Vault

struct CheckpointTests {
    @Test func `the log restarts though writers never pause, and nothing of it is lost`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        let store = try SQLiteStore(path: path)
        // Each takes 17 pages of 4096 bytes and the trees' own; all of them take five times what the log may hold.
        let (writers, itemsEach) = (8, 150)
        let text = [UInt8](repeating: 0x5A, count: 65_536)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    for number in 0..<itemsEach {
                        let item = Self.item(writer * itemsEach + number, text)
                        let outcome = try await store.put(item, at: TestPayment.instant, in: nil)
                        #expect(outcome == .written)
                    }
                }
            }
            try await group.waitForAll()
        }
        let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        // 16 MiB, what is written while they are moved, and as much again.
        #expect(try #require(log) < 48 << 20)
        try store.close()

        let again = try SQLiteStore(path: path)
        for number in 0..<writers * itemsEach {
            #expect(try await again.item(Self.item(number, []).name)?.text == text)
        }
        try again.close()
    }

    private static func item(_ number: Int, _ text: [UInt8]) -> SealedItem {
        let name = (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 8 * 8)) }
        return SealedItem(name: name, revision: 1, expiry: nil, text: text)
    }
}
