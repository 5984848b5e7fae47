import Glibc
import HTTPServer
import MerchantAPI

/// The lines that the gateway prints after its first one: its configuration, and for a sandbox a command to paste.
struct Banner {
    private let lines: [String]

    init(_ wiring: Wiring, _ listeners: Listeners) {
        let (settings, installation, directory) = (wiring.settings, wiring.installation, wiring.directory)
        var lines = ["version     \(MerchantAPI.gatewayVersion)"]
        if let clock = settings.clock {
            lines += Self.wrapped("clock       started at \(clock) and runs on; signatures are judged by it")
        }
        lines.append("data        \(directory.path)")
        if let keys = directory.sharedKeysFolder { lines.append("keys        \(keys)") }
        if let store = wiring.database.summary { lines.append("store       \(store)") }
        lines += Self.wrapped("merchants   " + installation.names)
        if installation.sandboxPassword == nil, settings.sandbox == nil {
            lines += Self.wrapped(
                "sandbox     off, as merchants of your own are configured; sandbox: true (--sandbox true) keeps it")
        }
        if let tls = wiring.tls { lines.append("tls         \(tls.summary)") }
        if settings.tls == nil, settings.allowsPlaintext {
            lines += Self.wrapped("plaintext   allowed: something in front of the gateway must encrypt")
        }
        let control = wiring.control.summary(merchantURL: Self.url(listeners, settings), listeners.control)
        lines += Self.wrapped("control     \(control)")
        if let url = wiring.control.url(merchantURL: Self.url(listeners, settings), listeners.control) {
            lines.append("OpenAPI     \(url)/_tollgate/openapi.yaml")
        }
        lines += Self.wrapped("amounts     " + wiring.acquirer.amounts)
        lines += Self.wrapped(
            "operations  http://\(listeners.operations.address)/ has /health/live, /health/ready and /metrics")
        if let password = installation.sandboxPassword {
            let name = SandboxFiles.merchantName
            let shown = password.isFromEnvironment ? "$\(SandboxFiles.passwordVariable)" : password.text
            lines += [
                "", "This is a sandbox: it accepts tokens that it mints itself, and moves no money.",
                "merchant    \(name)",
                "password    \(password.isFromEnvironment ? "as the environment's \(SandboxFiles.passwordVariable)" : shown)",
                "", "Mint a token and authorize it:", "",
                """
                  \(Self.program) token mint --data \(Self.folders(directory)) \\
                    --amount 5656.00 --currency USD --request AUTHORIZE \\
                    | curl -sS\(Self.options(settings.tls)) -u "merchant.\(name):\(shown)" \\
                    -X PUT --data-binary @- \\
                    "\(Self.url(listeners, settings))/api/rest/version/100\\
                /merchant/\(name)/order/o$(date +%s%N)/transaction/1"
                """, "",
            ]
        }
        self.lines = lines
    }

    /// Prints the lines on standard output.
    func print() { for line in lines { StandardOutput.writeLine(line) } }

    /// A line in words, whose continuation is below its text, in lines of at most 80 columns. A no-break space stays
    /// within its line.
    private static func wrapped(_ line: String) -> [String] {
        var lines: [String] = []
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            guard let last = lines.last else {
                lines.append(String(word))
                continue
            }
            if last.count + 1 + word.count <= 80 {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(repeating: " ", count: 12) + word)
            }
        }
        return lines.map { $0.replacing("\u{A0}", with: " ") }
    }

    /// The URL for a client on this machine. It has `localhost` in place of a wildcard address, which is no destination
    /// and which no certificate names.
    private static func url(_ listeners: Listeners, _ settings: ServeSettings) -> String {
        guard ["0.0.0.0", "::"].contains(listeners.address.host) else { return listeners.url }
        return "\(settings.tls == nil ? "http" : "https")://localhost:\(listeners.address.port)"
    }

    /// The data folder and the keys folder, as arguments of `token mint`.
    private static func folders(_ directory: DataDirectory) -> String {
        ShellWord.quoted(directory.path)
            + (directory.sharedKeysFolder.map { " --keys-folder " + ShellWord.quoted($0) } ?? "")
    }

    /// curl's options for TLS: the CA file, and placeholders for a client certificate if one is required.
    private static func options(_ tls: TLSSettings?) -> String {
        guard let tls else { return "" }
        let trust = " --cacert \(ShellWord.quoted(tls.certificatePath))"
        return tls.clientCertificates == .required ? trust + " --cert CLIENT.pem --key CLIENT-KEY.pem" : trust
    }

    /// The program's path, quoted for a shell, so that the command works in any folder.
    private static var program: String { ShellWord.quoted(ProgramPath.current ?? "tollgate") }
}
