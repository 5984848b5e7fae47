import Testing

/// Plain technical English, wherever people read the repository.
struct DialectTests {
    /// What is compared, not written: vectors from elsewhere, and the phrases themselves.
    private static func isExempt(_ path: String) -> Bool {
        path.contains("/Fixtures/") || path.hasPrefix("Tests/RepositoryTests/Dialect")
    }

    @Test(arguments: ["Sources", "Tests", "Config", "Deploy"])
    func `no file has a phrase of the old dialect`(folder: String) throws {
        let endings = [
            ".swift", ".h", ".md", ".yaml", ".py", ".ts", ".xsd", ".c", ".cfg", ".service", ".socket", ".toml",
            ".js", ".html",
        ]
        let sources = try endings.flatMap { try Repository.sources(below: folder, ending: $0) }
        #expect(!sources.isEmpty)
        for source in sources where !Self.isExempt(source.path) { Self.expectNone(in: source) }
    }

    @Test(arguments: [
        "README.md", "openapi.yaml", "Package.swift", "Dockerfile", ".ci/run", "Deploy/browser", "Deploy/clients",
        "Deploy/prepare", "Deploy/run", "Deploy/sanitize", "Deploy/test",
    ])
    func `no single file has a phrase of the old dialect`(path: String) throws {
        Self.expectNone(in: Repository.Source(path: path, text: try Repository.text(path)))
    }

    private static func expectNone(in source: Repository.Source) {
        for hit in Dialect.hits(in: source.text) { Issue.record("\(source):\(hit)") }
    }

    @Test func `every phrase is found once in itself`() {
        #expect(Dialect.phrases.count >= 40)
        #expect(Set(Dialect.phrases.map(\.text)).count == Dialect.phrases.count)
        for phrase in Dialect.phrases {
            #expect(phrase.text == phrase.text.lowercased())
            #expect(Dialect.hits(in: phrase.text).map(\.phrase.text).contains(phrase.text), "\(phrase.text)")
        }
    }

    @Test(arguments: [
        ("Who asks?", 1), ("a\n    /// As it\n    /// stands.", 3), ("# as\n# it\n# stands", 3), ("`who asks` who", 1),
        ("who  asks", 1), ("A number; nothing if it is odd.", 1),
    ])
    func `a phrase is found in any case and over the ends of lines`(text: String, line: Int) {
        #expect(Dialect.hits(in: text).map(\.line) == [line])
    }

    @Test(arguments: [
        "who, asks", "whoAsks", "who_asks", "who.asks", "underWay", "the whole asks", "as it stands2",
        "nothing if it is odd",
        "who\n- asks", "",
    ])
    func `other words and signs make no phrase`(text: String) {
        #expect(Dialect.hits(in: text).isEmpty)
    }
}
