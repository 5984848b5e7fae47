import Glibc
import Testing

@testable import tollgate

/// What the program tells shells and `man` about itself.
struct ManualTests {
    @Test func `the manual page has every command, option and setting`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run("manual")
        #expect(result.status == 0)
        let page = result.text.replacing("\\-", with: "-")
        #expect(page.hasPrefix(".TH TOLLGATE 1 "))
        let program = try #require(CommandDescription.program)
        func check(_ command: CommandDescription, _ words: String) {
            #expect(page.contains(".SS \(words)\n"))
            for option in command.options where option != "--version" {
                #expect(page.contains(option), "\(words) \(option)")
            }
            for next in command.subcommands { check(next, "\(words) \(next.name)") }
        }
        for command in program.subcommands { check(command, "tollgate \(command.name)") }
        #expect(program.subcommands.contains { $0.name == "serve" && $0.options.contains("--access-log-format") })
    }

    @Test(.enabled(if: access("/usr/bin/man", X_OK) == 0, "man is not installed"))
    func `man reads the manual page without a warning`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let page = try folder.write("tollgate.1", try folder.run("manual").output)
        let man = try ChildProcess(
            "/usr/bin/man", ["--warnings", "-l", page], environment: ["LC_ALL": "C.UTF-8", "MANWIDTH": "80"],
            errors: folder.path + "/man-errors")
        let text = String(decoding: try man.outputToEnd(), as: UTF8.self)
        #expect(try man.wait() == .exited(0))
        #expect(try folder.text("man-errors") == "")
        #expect(text.contains("--access-log-format"))
    }

    @Test(arguments: [
        ("srv", []), ("ser", ["serve"]), ("token mi", ["mint"]), ("token mint --amo", ["--amount"]),
        ("serve --access-log-f", ["--access-log-format"]), ("serve --port 0 --drai", ["--drain-seconds"]),
    ])
    func `bash completes commands, options and settings`(typed: String, completed: [String]) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let script = try folder.write("tollgate.bash", try folder.run("--generate-completion-script", "bash").output)
        let words = "tollgate \(typed)".split(separator: " ").map(String.init)
        let program = """
            source '\(script)'
            COMP_WORDS=(\(words.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
            COMP_LINE='\(words.joined(separator: " "))'; COMP_POINT=${#COMP_LINE}
            _tollgate tollgate "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\\n' "${COMPREPLY[@]}" | sort -u
            """
        let bash = try ChildProcess("/bin/bash", ["-c", program], errors: folder.path + "/bash-errors")
        let found = String(decoding: try bash.outputToEnd(), as: UTF8.self).split(separator: "\n").map(String.init)
        let errors = try folder.text("bash-errors")
        #expect(found == completed, "\(errors)")
    }
}
