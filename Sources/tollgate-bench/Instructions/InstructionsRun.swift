/// The runs that `tollgate-bench instructions` compares, each on a data directory of its own with the same keys.
final class InstructionsRun {
    /// So many orders of a kind have numbers of their own, all with the same number of digits.
    static let requestsMax = 100_000
    private static let warmUpRequests = 50
    private static let firstCardOrder = 200_000
    private static let firstTokenOrder = 400_000
    private let callgrind: Callgrind
    private let installation: BenchInstallation
    private let requests: Int
    /// What every run begins with: the same bytes, since what it costs to verify a signature depends on it.
    private var warmUp: [RequestBatch] = []
    private var runCount = 0

    /// Makes the folders, and the keys that a gateway makes at its first start.
    init(program: String, options: [String], requests: Int) throws {
        self.requests = requests
        callgrind = try Callgrind(program: program, options: options)
        // Under valgrind a run takes longer than the 5 minutes that a token is valid for.
        installation = try BenchInstallation(tokenSeconds: 86_400)
        try GatewayProcess(program: program, installation, options: options).stop()
        let count = Self.warmUpRequests
        warmUp = [
            RequestBatch(repeating: .information, count: count), cards(count, skipping: requests),
            try tokens(count, skipping: requests), captures(count, skipping: requests),
        ]
    }

    deinit { installation.remove() }

    /// Runs a gateway for each kind, and one for none.
    func table() throws -> InstructionsTable {
        let cards = cards(requests)
        let base = try profile([])
        let card = try profile([cards])
        var table = InstructionsTable()
        table.add(
            "GET information",
            try cost(try profile([RequestBatch(repeating: .information, count: requests)]), without: base))
        table.add("card AUTHORIZE", try cost(card, without: base))
        table.add("token AUTHORIZE", try cost(try profile([try tokens(requests)]), without: base))
        table.add("CAPTURE", try cost(try profile([cards, captures(requests)]), without: card))
        return table
    }

    private func cost(_ profile: CallgrindProfile, without base: CallgrindProfile) throws -> RequestInstructions {
        try RequestInstructions(profile, without: base, requests: requests)
    }

    /// One run: requests that warm up, then the batches.
    private func profile(_ batches: [RequestBatch]) throws -> CallgrindProfile {
        runCount += 1
        return try callgrind.profile(try BenchInstallation(beside: installation, number: runCount), warmUp + batches)
    }

    private func cards(_ count: Int, skipping skipped: Int = 0) -> RequestBatch {
        let first = Self.firstCardOrder + skipped
        return RequestBatch((first..<first + count).map { .authorizeCard(order: $0, installation) })
    }

    private func captures(_ count: Int, skipping skipped: Int = 0) -> RequestBatch {
        let first = Self.firstCardOrder + skipped
        return RequestBatch((first..<first + count).map { .capture(order: $0, installation) })
    }

    private func tokens(_ count: Int, skipping skipped: Int = 0) throws -> RequestBatch {
        try .authorizations(count, first: Self.firstTokenOrder + skipped, installation, at: .now)
    }
}
