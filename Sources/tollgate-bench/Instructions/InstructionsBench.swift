import ArgumentParser

/// `tollgate-bench instructions`: measures the instructions per request, which do not depend on the system load.
struct InstructionsBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "instructions",
        abstract: "Count a request's instructions by target, its allocations and its system calls.",
        discussion: """
            The gateway runs under valgrind's callgrind, as `serve` runs it, without its access log. All requests are \
            sent on one connection of HTTP/1.1 without TLS, each when all threads of the gateway sleep again. Each \
            kind is the difference of two runs, one with and one without the requests, divided by their number. All \
            runs begin with the same requests of every kind, so starting, warming up and ending cancel out. The runs \
            of CAPTURE and of card AUTHORIZE differ in the captures alone. Allocations are calls of malloc, calloc, \
            realloc and the aligned ones. System calls are those that callgrind counts (--collect-systime). Valgrind \
            runs one thread at a time, and libcrypto as on a processor with AVX2 at most. Requires the Debian \
            packages valgrind and binutils, and a gateway that \
            was built with --static-swift-stdlib.
            """)

    @Option(help: ArgumentHelp("The gateway (default: tollgate in the folder of this program).", valueName: "file"))
    var program: String?

    @Option(help: "Requests of each kind.")
    var requests = 500

    @Option(help: ArgumentHelp("A further option for `tollgate serve`, as one word.", valueName: "option"))
    var gatewayOption: [String] = []

    func validate() throws {
        guard (1...InstructionsRun.requestsMax).contains(requests) else {
            throw ValidationError("--requests is from 1 to \(InstructionsRun.requestsMax)")
        }
    }

    func run() throws {
        let program = try program ?? ProgramFile.sibling("tollgate")
        try InstructionsRun(program: program, options: gatewayOption, requests: requests).table().print()
    }
}
