import JSON
import Payments
import TestSupport
import Testing
import Values
import Vault

/// What every store of sealed texts keeps to.
@Suite(.serialized)
struct SealedContractTests {
    private static let instant = TestPayment.instant

    private static func item(
        _ name: Int, revision: Int64 = 1, expiresIn milliseconds: Int64? = 1000, text: [UInt8] = [1, 2, 3]
    ) -> SealedItem {
        SealedItem(
            name: (0..<32).map { UInt8(truncatingIfNeeded: name >> (($0 % 4) * 8)) }, revision: revision,
            expiry: milliseconds.map { instant.advanced(byMilliseconds: $0) }, text: text)
    }

    private static func group(_ name: UInt8, countMax: Int, replacesUnused: Bool = false) -> SealedGroup {
        SealedGroup(
            name: [UInt8](repeating: name, count: 32), countMax: countMax, replacesUnused: replacesUnused)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an item is found by its name and by no other`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        for item in [Self.item(1), Self.item(2, expiresIn: nil, text: [])] {
            #expect(try await store.item(item.name) == nil)
            #expect(try await store.put(item, at: Self.instant, in: nil) == .written)
            #expect(try await store.item(item.name) == item)
        }
        #expect(try await store.item(Self.item(3).name) == nil)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `only the next revision is written`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        #expect(try await store.put(Self.item(1, revision: 2), at: Self.instant, in: nil) == .moved)
        #expect(try await store.item(Self.item(1).name) == nil)
        #expect(try await store.put(Self.item(1), at: Self.instant, in: nil) == .written)
        for revision in [1, 3, 100] as [Int64] {
            let outcome = try await store.put(
                Self.item(1, revision: revision, text: [9]), at: Self.instant, in: nil)
            #expect(outcome == .moved)
        }
        #expect(try await store.item(Self.item(1).name)?.text == [1, 2, 3])
        let next = Self.item(1, revision: 2, expiresIn: 5000, text: [9])
        #expect(try await store.put(next, at: Self.instant, in: nil) == .written)
        #expect(try await store.item(next.name) == next)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a removed item is gone, and its name is free`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        #expect(try await store.put(Self.item(1), at: Self.instant, in: nil) == .written)
        #expect(try await store.remove(Self.item(1).name))
        #expect(try await !store.remove(Self.item(1).name))
        #expect(try await store.item(Self.item(1).name) == nil)
        #expect(try await store.put(Self.item(1, revision: 2), at: Self.instant, in: nil) == .moved)
        #expect(try await store.put(Self.item(1), at: Self.instant, in: nil) == .written)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a group never has more items than it may have, and takes no room from others`(
        kind: StoreUnderTest
    ) async throws {
        let store = try await kind.opened()
        let (one, two) = (Self.group(1, countMax: 3), Self.group(2, countMax: 3))
        for name in 0..<3 {
            // Whether an item expires makes no difference.
            let item = Self.item(name, expiresIn: name == 0 ? nil : 1000)
            #expect(try await store.put(item, at: Self.instant, in: one) == .written)
        }
        #expect(try await store.put(Self.item(3), at: Self.instant, in: one) == .full)
        #expect(try await store.item(Self.item(3).name) == nil)
        // What is changed, what is in another group and what is in none takes no room.
        #expect(try await store.put(Self.item(4), at: Self.instant, in: two) == .written)
        #expect(try await store.put(Self.item(5), at: Self.instant, in: nil) == .written)
        #expect(try await store.put(Self.item(1, revision: 2), at: Self.instant, in: one) == .written)
        #expect(try await store.remove(Self.item(0).name))
        #expect(try await store.put(Self.item(3), at: Self.instant, in: one) == .written)
        #expect(try await store.put(Self.item(0), at: Self.instant, in: one) == .full)
        try await store.reset()
        for name in 0..<3 { #expect(try await store.put(Self.item(name), at: Self.instant, in: one) == .written) }
        #expect(try await store.put(Self.item(3), at: Self.instant, in: one) == .full)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `what expired and was swept away leaves its group room`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let (one, two) = (Self.group(1, countMax: 2), Self.group(2, countMax: 2))
        for name in 0..<4 {
            let group = name < 2 ? one : two
            #expect(try await store.put(Self.item(name), at: Self.instant, in: group) == .written)
        }
        let later = Self.instant.advanced(byMilliseconds: 1000)
        #expect(try await store.removeExpired(at: later, countMax: 10) == 4)
        for name in 4..<8 {
            let item = Self.item(name, expiresIn: 9000)
            #expect(try await store.put(item, at: later, in: name < 6 ? one : two) == .written)
        }
        for group in [one, two] {
            #expect(try await store.put(Self.item(9, expiresIn: 9000), at: later, in: group) == .full)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the first to expire of those never changed goes for a new one where the group lets it`(
        kind: StoreUnderTest
    ) async throws {
        let store = try await kind.opened()
        let (one, two) = (Self.group(1, countMax: 3, replacesUnused: true), Self.group(2, countMax: 3))
        for (name, milliseconds) in [(0, 500), (1, 300), (2, 400)] as [(Int, Int64)] {
            #expect(
                try await store.put(Self.item(name, expiresIn: milliseconds), at: Self.instant, in: one) == .written)
        }
        #expect(try await store.put(Self.item(9, expiresIn: 100), at: Self.instant, in: two) == .written)
        let changed = Self.item(1, revision: 2, expiresIn: 200)
        #expect(try await store.put(changed, at: Self.instant, in: one) == .written)
        #expect(try await store.put(Self.item(3), at: Self.instant, in: one) == .written)
        #expect(try await store.item(Self.item(2).name) == nil)
        for name in [0, 1, 3, 9] { #expect(try await store.item(Self.item(name).name) != nil) }
        #expect(try await store.put(Self.item(4), at: Self.instant, in: one) == .written)
        #expect(try await store.item(Self.item(0).name) == nil)
        for name in [3, 4] {
            #expect(try await store.put(Self.item(name, revision: 2), at: Self.instant, in: one) == .written)
        }
        #expect(try await store.put(Self.item(5), at: Self.instant, in: one) == .full)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of many new items at once as many are written as there is room for`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        for replacesUnused in [false, true] {
            let group = Self.group(replacesUnused ? 1 : 2, countMax: 20, replacesUnused: replacesUnused)
            let first = replacesUnused ? 1000 : 0
            let outcomes = try await race(60) { number in
                try await store.put(Self.item(first + number), at: Self.instant, in: group)
            }
            if !replacesUnused { #expect(outcomes.count { $0 == .written } == 20) }
            var keptCount = 0
            for number in 0..<60 where try await store.item(Self.item(first + number).name) != nil { keptCount += 1 }
            #expect(keptCount == 20)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `expired items make room, so many at a time`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        let group = Self.group(1, countMax: 200)
        for name in 0..<200 {
            let item = Self.item(name, expiresIn: Int64(name))
            #expect(try await store.put(item, at: Self.instant.advanced(byMilliseconds: -1), in: group) == .written)
        }
        let later = Self.instant.advanced(byMilliseconds: 150)
        #expect(try await store.put(Self.item(999), at: later, in: group) == .written)
        #expect(try await store.item(Self.item(63).name) == nil)
        #expect(try await store.item(Self.item(64).name) != nil)
        #expect(try await store.removeExpired(at: later, countMax: 10) == 10)
        #expect(try await store.removeExpired(at: later, countMax: 1000) == 151 - 74)
        #expect(try await store.item(Self.item(150).name) == nil)
        #expect(try await store.item(Self.item(151).name) != nil)
        #expect(try await store.removeExpired(at: later, countMax: 1000) == 0)
        #expect(try await store.item(Self.item(999).name) != nil)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of many writers of one revision one writes`(kind: StoreUnderTest) async throws {
        let store = try await kind.opened()
        for revision in 1...3 as ClosedRange<Int64> {
            let outcomes = try await race(50) { number in
                try await store.put(
                    Self.item(1, revision: revision, text: [UInt8(number)]), at: Self.instant, in: nil)
            }
            #expect(outcomes.count { $0 == .written } == 1)
            #expect(outcomes.count { $0 == .moved } == 49)
        }
        #expect(try await store.item(Self.item(1).name)?.revision == 3)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `changes of sessions by many at once are all kept`(kind: StoreUnderTest) async throws {
        let sessions = Sessions(store: try await kind.opened(), keys: try .test())
        let merchant = try MerchantID("TESTMERCHANT")
        let session = try await sessions.create(for: merchant, authenticationLimit: 20, at: Self.instant)
        let accepted = try await race(40) { number in
            if number < 20 {
                _ = try await sessions.update(
                    session.id, of: merchant, expecting: nil,
                    with: try StoredFields.of(["order": .object(["field\(number)": "x"])]), at: Self.instant)
                return true
            }
            return try await sessions.authenticates(SecretText(session.id), as: merchant, at: Self.instant)
        }
        #expect(accepted.allSatisfy { $0 })
        let after = try await sessions.retrieve(session.id, of: merchant, at: Self.instant)
        #expect(after.fields.root["order"]?.count == 20)
        #expect(after.version.hasSuffix("15"))
        #expect(after.authenticationCount == 20)
        #expect(try await !sessions.authenticates(SecretText(session.id), as: merchant, at: Self.instant))
    }
}
