import Testing

/// What browsers load keeps to a strict Content-Security-Policy, and merchants' texts stay text.
struct AssetTests {
    /// Ways to make markup, code or style from text, each with a line that it finds.
    private static var forbidden: [(name: String, pattern: Regex<Substring>, example: String)] {
        let rules: [(name: String, pattern: Regex<Substring>, example: String)] = [
            ("innerHTML or outerHTML", /\b(?:inner|outer)HTML\b/, "a.innerHTML = b"),
            ("setHTMLUnsafe and its like", /\b(?:setHTML\w*|parseHTML\w*|getHTML)\b/, "a.setHTMLUnsafe(b)"),
            ("insertAdjacentHTML", /\binsertAdjacentHTML\b/, "a.insertAdjacentHTML('x', b)"),
            ("document.write", /\bdocument\s*\.\s*write(?:ln)?\b/, "document.write(a)"),
            ("DOMParser or a fragment of text", /\b(?:DOMParser|createContextualFragment)\b/, "new DOMParser()"),
            ("srcdoc", /\bsrcdoc\b/, "frame.srcdoc = a"),
            ("eval", /\beval\s*\(/, "eval(a)"),
            ("the Function constructor", /\bFunction\s*\(/, "new Function(a)"),
            ("a timer of text", /\bset(?:Timeout|Interval)\s*\(\s*["'`]/, "setTimeout('a')"),
            ("a javascript: URL", /\bjavascript:/, "location = 'javascript:a'"),
            ("a style attribute", /\.style\b|["']style["']\s*[:,]|\sstyle\s*=\s*["']/, "a.style.color = b"),
            ("a style element", /<style\b|createElement\(["']style["']\)/, "<style>"),
            ("an inline script", /<script(?![^>]*\ssrc=)/, "<script>a()</script>"),
            ("a made script", /createElement\(["']script["']\)/, "document.createElement('script')"),
            ("a handler attribute", /\son[a-z]+\s*=\s*["']|["']on[a-z]+["']\s*:/, "<a onclick=\"b()\">"),
        ]
        // By default a dot between letters is no boundary.
        return rules.map { ($0.name, $0.pattern.wordBoundaryKind(.simple), $0.example) }
    }

    private static func assets() throws -> [Repository.Source] {
        try [".js", ".html", ".svg"].flatMap { try Repository.sources(below: "Sources/Assets", ending: $0) }
    }

    @Test func `nothing makes markup, code or inline style from text`() throws {
        let assets = try Self.assets()
        #expect(assets.contains { $0.path == "Sources/Assets/apple-pay/sheet.js" })
        for asset in assets {
            for rule in Self.forbidden {
                let found = asset.text.firstMatch(of: rule.pattern)
                #expect(found == nil, "\(asset): \(rule.name)")
            }
        }
    }

    @Test func `each rule finds what it forbids`() {
        for rule in Self.forbidden { #expect(rule.example.contains(rule.pattern), "\(rule.name)") }
        for line in ["<script src=\"a.js\"></script>", "element(\"style\")", "adoptedStyleSheets = [style]"] {
            for rule in Self.forbidden { #expect(!line.contains(rule.pattern), "\(rule.name): \(line)") }
        }
    }

    @Test func `every script is embedded once`() throws {
        let embedded = try Repository.sources(below: "Sources/Assets", ending: ".c").flatMap { source in
            source.text.matches(of: /#embed "([^"]+)"/).map { "Sources/Assets/\($0.1)" }
        }
        let scripts = try Repository.sources(below: "Sources/Assets", ending: ".js").map(\.path)
        for script in scripts { #expect(embedded.count { $0 == script } == 1, "\(script)") }
    }

    @Test func `a line has at most 130 characters`() throws {
        for asset in try Self.assets() {
            for line in asset.lines { #expect(line.text.count <= 130, "\(asset):\(line.number)") }
        }
    }

    @Test func `the script knows every defect of the mint`() throws {
        let mint = try Repository.text("Sources/ApplePaySandbox/MintDefect.swift")
        let cases = try #require(mint.firstMatch(of: /enum MintDefect[^{]*\{([^}]*)\n\}/)).1
        let defects = cases.matches(of: /(?m)^    case (\w+)(?: = "([a-z0-9-]+)")?$/).map { String($0.2 ?? $0.1) }
        #expect(defects.count > 40)
        let script = try Repository.text("Sources/Assets/apple-pay/controls.js")
        let list = try #require(script.firstMatch(of: /const mintDefects = \[([^\]]*)\]/)).1
        #expect(list.matches(of: /"([a-z0-9-]+)"/).map { String($0.1) } == defects)
    }
}
