import Glibc
import HTTPServer
import Payments

/// What the gateway says after its first line: who may ask, and a line to paste.
struct Banner {
    private let lines: [String]

    init(_ wiring: Wiring, _ listeners: Listeners) {
        let (settings, installation, directory) = (wiring.settings, wiring.installation, wiring.directory)
        let address = listeners.address
        var lines: [String] = []
        if let clock = settings.clock {
            lines.append("clock       started at \(clock) and runs on; signatures are judged by it")
        }
        lines.append("data        \(directory.path)")
        lines.append("merchants   " + installation.names)
        if let control = wiring.control.summary(merchantAddress: address, listeners.control) {
            lines.append("control     \(control)")
        }
        lines.append("operations  http://\(listeners.operations.address)/ has /health/live, /health/ready and /metrics")
        if let password = installation.sandboxPassword {
            let name = SandboxFiles.merchantName
            let shown = password.isFromEnvironment ? "$\(SandboxFiles.passwordVariable)" : password.text
            lines += [
                "", "This is a sandbox: it accepts tokens that it mints itself, and moves no money.",
                "merchant    \(name)",
                "password    \(password.isFromEnvironment ? "as the environment's \(SandboxFiles.passwordVariable)" : shown)",
                "", "Mint a token and authorize it:", "",
                """
                  \(Self.program) token mint --data \(ShellWord.quoted(directory.path)) --amount 5656.00 --currency USD \
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
    private static var program: String { ShellWord.quoted(ProgramPath.current ?? "tollgate") }
}
