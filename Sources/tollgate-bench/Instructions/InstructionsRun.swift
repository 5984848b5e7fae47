/// The runs that `tollgate-bench instructions` compares, each on a data directory of its own with the same keys.
final class InstructionsRun {
    /// The maximum number of orders of a kind. Order numbers then all have the same number of digits.
    static let requestsMax = 100_000
    private static let warmUpRequests = 50
    private static let firstCardOrder = 200_000
    private static let firstTokenOrder = 400_000
    private let callgrind: Callgrind
    private let installation: BenchInstallation
    private let requests: Int
    /// The first requests of every run. Their bytes are the same in all runs, since the cost of verifying a signature
    /// depends on them.
    private var warmUp: [RequestBatch] = []
    private var runCount = 0

    /// Creates the folders, and the keys that a gateway creates at its first start.
    init(program: String, options: [String], requests: Int) throws {
        self.requests = requests
        callgrind = try Callgrind(program: program, options: options)
        // Under valgrind a run takes longer than the default validity of a token, 5 minutes.
        installation = try BenchInstallation(tokenSeconds: 86_400)
        try GatewayProcess(program: program, installation, options: options).stop()
        let count = Self.warmUpRequests
        warmUp = [
            RequestBatch(repeating: .information, count: count), cards(count, skipping: requests),
            try tokens(count, skipping: requests), captures(count, skipping: requests),
        ]
    }

    deinit { installation.remove() }

    /// Runs a gateway for each kind of request, and one without any.
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

    /// One run: warm-up requests, then the batches.
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
