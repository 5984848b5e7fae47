import FuzzSupport
import Testing

/// What the fuzzers begin with, replayed: the seeds, each cut short, and each with bytes altered by a fixed plan.
struct SeedTests {
    @Test(arguments: FuzzTarget.allCases)
    func `the first seed is accepted, and no alteration of a seed does harm`(target: FuzzTarget) throws {
        let seeds = try target.seeds()
        #expect(try #require(seeds.first).withUnsafeBytes { target.accepts($0) })
        for seed in seeds {
            for end in stride(from: 0, to: seed.count, by: max(1, seed.count / 16)) {
                _ = seed[..<end].withUnsafeBytes { target.accepts($0) }
            }
            for position in stride(from: 0, to: seed.count, by: max(1, seed.count / 32)) {
                var altered = seed
                altered[position] ^= UInt8(truncatingIfNeeded: 1 << (position % 8))
                _ = altered.withUnsafeBytes { target.accepts($0) }
            }
        }
    }
}
