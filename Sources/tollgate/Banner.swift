import Glibc
import HTTPServer
import Payments

/// What the gateway says after its first line: who may ask, and a line to paste.
struct Banner {
    private let lines: [String]

    init(
        _ address: BoundAddress, _ settings: ServeSettings, _ directory: DataDirectory, _ installation: Installation
    ) {
        var lines: [String] = []
        if let clock = settings.clock {
            lines.append("clock       started at \(clock) and runs on; signatures are judged by it")
        }
        lines.append("data        \(directory.path)")
        lines.append("merchants   " + installation.merchants.map(\.id.text).joined(separator: ", "))
        if let password = installation.sandboxPassword {
            let name = SandboxFiles.merchantName
            let shown = password.isFromEnvironment ? "$\(SandboxFiles.passwordVariable)" : password.text
            lines += [
                "", "This is a sandbox: it accepts tokens that it mints itself, and moves no money.",
                "merchant    \(name)",
                "password    \(password.isFromEnvironment ? "as the environment's \(SandboxFiles.passwordVariable)" : shown)",
                "", "Mint a token and authorize it:", "",
                """
                  \(Self.program) token mint --data \(Self.quoted(directory.path)) --amount 5656.00 --currency USD \
                --request AUTHORIZE | curl -sS -u "merchant.\(name):\(shown)" -X PUT --data-binary @- \
                "http://\(address)/api/rest/version/100/merchant/\(name)/order/$(date +%s%N)/transaction/1"
                """, "",
            ]
        }
        self.lines = lines
    }

    /// Prints the lines on standard output.
    func print() { for line in lines { StandardOutput.writeLine(line) } }

    /// Where this program lies, so that the line works in any folder.
    private static var program: String { quoted(ProgramPath.current ?? "tollgate") }

    /// A word as a shell reads it.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [0x2D, 0x2E, 0x2F, 0x5F].contains(byte)
        }
        return isPlain && !word.isEmpty
            ? word
            : "'"
                + word.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "'\\''") + "'"
    }
}
