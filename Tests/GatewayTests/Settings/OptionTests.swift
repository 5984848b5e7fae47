import Testing

/// Each option of `serve` reaches the settings.
struct OptionTests {
    @Test func `each option that serve declares is read`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let help = try folder.run("serve", "--help").text
        let options = help.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ")
            guard line.hasPrefix("  --"), words.count > 1, words[1].hasPrefix("<") else { return nil }
            return String(words[0])
        }
        #expect(options.count >= 28, "\(help)")
        for option in options where option != "--config" {
            // No setting may be empty, so the error names each one that is read.
            let data = option == "--data" ? [] : ["--data", folder.data]
            let result = try folder.run(["serve"] + data + [option, ""])
            #expect(result.status != 0, "\(option)")
            #expect(result.errors.contains("\(option): "), "\(option): \(result.errors)")
        }
    }
}
