import ArgumentParser

/// The options of `tollgate serve` on encryption, and on how many may connect.
struct TLSOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The certificate chain to serve with, in PEM, one's own first.", valueName: "file"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The certificate's private key, in PEM.", valueName: "file"))
    var tlsKey: String?

    @Option(help: ArgumentHelp("The file whose first line is the key's password.", valueName: "file"))
    var tlsKeyPasswordFile: String?

    @Option(
        help: ArgumentHelp("The certificates in which those of clients must end, in PEM.", valueName: "file"))
    var tlsClientCA: String?

    @Option(
        help: ArgumentHelp(
            "none, optional or required (default: optional with --tls-client-ca).", valueName: "policy"))
    var tlsClientCertificates: String?

    @Flag(help: "Serve without TLS on addresses other than this machine's own, for a proxy that encrypts.")
    var allowPlaintext = false

    @Option(help: ArgumentHelp("How many connections are served at once (default: 16384).", valueName: "number"))
    var connectionsMax: String?

    @Option(help: ArgumentHelp("How many of them from one address (default: 1024).", valueName: "number"))
    var connectionsPerAddressMax: String?
}
