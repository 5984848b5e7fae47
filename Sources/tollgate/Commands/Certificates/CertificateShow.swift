import ArgumentParser
import JSON

/// `tollgate certificate show`: shows what a file with keys or certificates contains.
struct CertificateShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Say what a file holds, for whom, until when, and its publicKeyHash; never a key.",
        discussion: """
            FILE holds private keys, certificates or signing requests in PEM, a certificate or a request in DER, or is a \
            PKCS#12 file. A key and a certificate belong together if their publicKeyHash is the same.
            """)

    @Argument(help: ArgumentHelp("The file, or - for standard input.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("A file with the password of an encrypted key or PKCS#12 file.", valueName: "file"))
    var passwordFile: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let password = try passwordFile.map { try KeyPassword(file: $0, users: .anyone) }
        let report = try CertificateReport(file, password: password, now: SystemClock.now())
        if json {
            StandardOutput.write(report.json.serialized() + [UInt8(ascii: "\n")])
        } else {
            StandardOutput.writeLine(report.description)
        }
    }
}
