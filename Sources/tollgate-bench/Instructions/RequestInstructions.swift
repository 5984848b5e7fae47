/// The cost of a request of one kind, in instructions instead of time.
struct RequestInstructions {
    /// The instructions per request, by owner.
    let instructions: [CostOwner: Double]
    /// Calls of the C library's allocation functions per request.
    let allocations: Double
    /// System calls per request, of all threads.
    let systemCalls: Double

    private static let allocators: Set = [
        "malloc", "calloc", "realloc", "aligned_alloc", "memalign", "posix_memalign",
    ]

    /// Computes the cost per request: the difference between a profile with `count` requests and a base profile without
    /// them.
    ///
    /// - Throws: if the gateway has no symbols by which instructions could be attributed.
    init(_ profile: CallgrindProfile, without base: CallgrindProfile, requests count: Int) throws(BenchFailure) {
        guard profile.costs.keys.contains(where: { $0.name.hasPrefix("$s11MerchantAPI") }) else {
            throw BenchFailure(
                "the gateway has no symbols to attribute instructions by: it was stripped; build it with swift build")
        }
        let all = Self.sums(profile)
        let before = Self.sums(base)
        var instructions: [CostOwner: Double] = [:]
        for owner in CostOwner.allCases {
            instructions[owner] =
                Double(all.instructions[owner, default: 0] - before.instructions[owner, default: 0]) / Double(count)
        }
        self.instructions = instructions
        allocations = Double(all.allocations - before.allocations) / Double(count)
        systemCalls = Double(all.systemCalls - before.systemCalls) / Double(count)
    }

    /// All instructions per request.
    var total: Double { instructions.values.reduce(0, +) }

    private static func sums(
        _ profile: CallgrindProfile
    ) -> (instructions: [CostOwner: Int], allocations: Int, systemCalls: Int) {
        profile.costs.reduce(into: ([:], 0, 0)) { sums, entry in
            let (function, cost) = entry
            let owner = CostOwner(of: function)
            sums.0[owner, default: 0] += cost.instructions
            if owner == .libc, allocators.contains(function.name) { sums.1 += cost.calls }
            sums.2 += cost.systemCalls
        }
    }
}
