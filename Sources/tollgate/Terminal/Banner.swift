import Glibc
import HTTPServer
import MerchantAPI

/// The lines that the gateway prints after its first one: its configuration, and for a sandbox a command to paste.
struct Banner {
    private let lines: [String]

    init(_ wiring: Wiring, _ listeners: Listeners) {
        // Clients of a gateway that is on loopback are in its container, too.
        let container = listeners.address.isLoopback ? nil : ContainerCommand.current
        lines =
            Self.configuration(wiring, listeners, container)
            + (wiring.installation.sandboxPassword.map { Self.sandbox($0, wiring, listeners, container) } ?? [])
    }

    /// Prints the lines on standard output.
    func print() { for line in lines { StandardOutput.writeLine(line) } }

    private static func configuration(
        _ wiring: Wiring, _ listeners: Listeners, _ container: ContainerCommand?
    ) -> [String] {
        let (settings, installation, directory) = (wiring.settings, wiring.installation, wiring.directory)
        var lines = ["version     \(MerchantAPI.gatewayVersion)"]
        if listeners.address.isWildcard {
            let place = container == nil ? "machine" : "container"
            let note = container == nil ? "" : "; published ports are reached from its host"
            lines += wrapped("addresses   all of this \(place) (\(listeners.address.host))\(note)")
        }
        if let clock = settings.clock {
            lines += wrapped("clock       started at \(clock) and runs on; signatures are judged by it")
        }
        lines.append("data        \(directory.path)")
        if let keys = directory.sharedKeysFolder { lines.append("keys        \(keys)") }
        if let store = wiring.database.summary { lines.append("store       \(store)") }
        lines += wrapped("merchants   " + installation.names)
        if installation.sandboxPassword == nil, settings.sandbox == nil {
            lines += wrapped(
                "sandbox     off, as merchants of your own are configured; sandbox: true (--sandbox true) keeps it")
        }
        if let tls = wiring.tls { lines.append("tls         \(tls.summary)") }
        if settings.tls == nil, settings.allowsPlaintext {
            lines += wrapped("plaintext   allowed: something in front of the gateway must encrypt")
        }
        let controlURL = listeners.controlURL(wiring)
        let control = controlURL.map { "\($0) \(wiring.control.clients(container))" }
        if let controlURL { lines.append("console     \(controlURL) in a browser") }
        lines += wrapped("control     \(control ?? SandboxControl.ownPortReason)")
        if let controlURL { lines.append("OpenAPI     \(controlURL)openapi.yaml") }
        lines += wrapped("amounts     " + wiring.acquirer.amountsText)
        let operations = listeners.operations.address
        let isInside = container != nil && operations.isLoopback
        lines += wrapped(
            "operations  http://\(operations.destination)/ has /health/live, /health/ready and /metrics"
                + (isInside ? ", from inside the container only" : ""))
        return lines
    }

    private static func sandbox(
        _ password: SandboxPassword, _ wiring: Wiring, _ listeners: Listeners, _ container: ContainerCommand?
    ) -> [String] {
        let name = SandboxFiles.merchantName
        let shown = password.isFromEnvironment ? "$\(SandboxFiles.passwordVariable)" : password.text
        let place = container == nil ? "" : ", where the port is published as \(listeners.address.port)"
        return [
            "", "This is a sandbox: it accepts tokens that it mints itself, and moves no money.",
            "merchant    \(name)",
            "password    \(password.isFromEnvironment ? "as the environment's \(SandboxFiles.passwordVariable)" : shown)",
            "", "Mint a token and authorize it\(place):", "",
            """
              \(container?.prefix ?? "")\(program) token mint --data \(folders(wiring.directory)) \\
                --amount 5656.00 --currency USD --request AUTHORIZE \\
                | curl -sS\(options(wiring.settings.tls, container)) -u "merchant.\(name):\(shown)" \\
                -X PUT --data-binary @- \\
                "\(listeners.url)/api/rest/version/100\\
            /merchant/\(name)/order/o$(date +%s%N)/transaction/1"
            """, "",
        ]
    }

    /// A line as text, whose continuation is below its text, in lines of at most 80 columns. A no-break space stays within
    /// its line.
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

    /// The data folder and the keys folder, as arguments of `token mint`.
    private static func folders(_ directory: DataDirectory) -> String {
        ShellWord.quoted(directory.path)
            + (directory.sharedKeysFolder.map { " --keys-folder " + ShellWord.quoted($0) } ?? "")
    }

    /// curl's options for TLS: the CA file, and placeholders for a client certificate if one is required. A container's host
    /// may have the CA file elsewhere.
    private static func options(_ tls: TLSSettings?, _ container: ContainerCommand?) -> String {
        guard let tls else { return "" }
        let trust = " --cacert \(container == nil ? ShellWord.quoted(tls.certificatePath) : "CERTIFICATE.pem")"
        return tls.clientCertificates == .required ? trust + " --cert CLIENT.pem --key CLIENT-KEY.pem" : trust
    }

    /// The program's path, quoted for a shell, so that the command works in any folder.
    private static var program: String { ShellWord.quoted(ProgramPath.current ?? "tollgate") }
}
