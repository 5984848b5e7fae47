import Testing

/// The subjects of the repository's commits.
struct CommitTests {
    /// The rule holds for what follows this commit.
    private static let start = "ec333cd10c0cd9859bc9b740e96db9369edcf1ef"

    @Test func `a commit's subject names what it changes, and is short`() throws {
        guard let subjects = CommitSubject.since(Self.start) else {
            Issue.record("No commits were judged: git or the commit \(Self.start) is missing.", severity: .warning)
            return
        }
        let names = try CommitSubject.names()
        for subject in subjects {
            let fault = subject.fault(names: names)
            #expect(fault == nil, "\(subject.text)")
        }
    }

    @Test(arguments: [
        "Payments: an order has at most 100 transactions", "Payments, SQLiteStore: the holds of an order", "README: a",
        "Package.swift: warnings are errors", ".ci: a", "openapi: a", "Tests: \(String(repeating: "a", count: 65))",
    ])
    func `a subject that keeps the rule has no fault`(subject: String) {
        #expect(CommitSubject(text: subject).fault(names: Self.names) == nil)
    }

    @Test(arguments: [
        "", "Fix", "payments: a", "Payments:", "Payments: ", "Payments:a", "Payments : a", "Payment: a", ": a",
        "Payments and JSON: a", "Payments,JSON: a", "fix(Payments): a", "Tests: \(String(repeating: "a", count: 66))",
    ])
    func `a subject that breaks the rule has a fault`(subject: String) {
        #expect(CommitSubject(text: subject).fault(names: Self.names) != nil)
    }

    private static let names: Set = [
        "Payments", "SQLiteStore", "README", "Package.swift", ".ci", "openapi", "Tests",
    ]
}
