import Glibc
import Synchronization
import TestSupport

/// A process that a test started: its standard output is a pipe, as under a service manager, or a terminal.
final class ChildProcess {
    /// How a process ended.
    enum Ending: Equatable {
        case exited(Int32)
        case killed(by: Int32)
    }

    /// Why the test can't go on.
    enum Failure: Error {
        case system(String, Int32)
        case tookTooLong(outputSoFar: String)
        case outputEnded(outputSoFar: String)
    }

    /// Held from the making of a pipe until its child runs, so that no other child inherits an end of it.
    private static let spawning = Mutex(())

    /// Where programs lie and, if these tests run under a sanitizer, how it reports, so that it does for children, too.
    private static let inheritedVariables: [String: String] = {
        var variables = ["PATH": "/usr/bin:/bin"]
        for name in ["PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "LD_PRELOAD", "SWIFT_BACKTRACE"] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return variables
    }()

    let identifier: pid_t
    private let output: Int32
    private var received: [UInt8] = []
    private var ending: Ending?

    /// Starts a program, in the repository's folder.
    ///
    /// - Parameters:
    ///   - environment: all of it; nothing is inherited but ``inheritedVariables``.
    ///   - input: the file that is its standard input.
    ///   - errors: the file that its standard error is added to.
    ///   - descriptors: what it has open besides, from 3 on.
    ///   - onTerminal: whether its standard output is a pseudo terminal, which changes nothing in what is written.
    init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], input: String = "/dev/null",
        errors: String, descriptors: [Int32] = [], onTerminal: Bool = false
    ) throws {
        let variables = environment.merging(Self.inheritedVariables) { given, _ in given }.map { "\($0)=\($1)" }
        (identifier, output) = try Self.spawning.withLock { _ in
            var ends: [Int32] = [-1, -1]
            guard chdir(BuiltProgram.repository) == 0, onTerminal ? Self.terminal(&ends) : pipe(&ends) == 0 else {
                throw Failure.system("pipe", errno)
            }
            defer { close(ends[1]) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }

            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            for (index, descriptor) in descriptors.enumerated() {
                posix_spawn_file_actions_adddup2(&actions, descriptor, 3 + Int32(index))
            }

            var child: pid_t = 0
            let failure = Self.withCStrings([program] + arguments) { arguments in
                Self.withCStrings(variables) { variables in
                    SpawnAttributes().withPointer {
                        posix_spawn(&child, program, &actions, $0, arguments, variables)
                    }
                }
            }
            guard failure == 0 else {
                close(ends[0])
                throw Failure.system("posix_spawn \(program)", failure)
            }
            return (child, ends[0])
        }
    }

    deinit {
        kill()
        close(output)
    }

    /// TIOCSPTLCK and TIOCGPTPEER of Linux (ioctl_tty(2)), which Glibc doesn't import.
    private static let (lockTerminal, openPeer): (UInt, UInt) = (0x4004_5431, 0x5441)

    /// Opens a pseudo terminal, its reader's end first.
    private static func terminal(_ ends: inout [Int32]) -> Bool {
        ends[0] = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var unlocked: CInt = 0
        guard ends[0] >= 0, ioctl(ends[0], lockTerminal, &unlocked) == 0 else { return false }
        ends[1] = ioctl(ends[0], openPeer, O_RDWR | O_NOCTTY)
        var mode = termios()
        guard ends[1] >= 0, tcgetattr(ends[1], &mode) == 0 else { return false }
        cfmakeraw(&mode)
        return tcsetattr(ends[1], TCSANOW, &mode) == 0
    }

    private static func withCStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }

    /// Waits for more output and takes it in; false at its end.
    private func receive() throws -> Bool {
        var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        while true {
            let ready = poll(&descriptor, 1, Patience.seconds * 1000)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { throw Failure.tookTooLong(outputSoFar: String(decoding: received, as: UTF8.self)) }
            break
        }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = read(output, &chunk, chunk.count)
        // A terminal that nobody has open any more.
        if count < 0, errno == EIO { return false }
        guard count >= 0 else { throw Failure.system("read", errno) }
        received += chunk[..<count]
        return count > 0
    }

    /// The first line of standard output, without its end, as soon as it is there.
    func firstLine() throws -> String {
        while true {
            if let end = received.firstIndex(of: 0x0A) { return String(decoding: received[..<end], as: UTF8.self) }
            guard try receive() else {
                throw Failure.outputEnded(outputSoFar: String(decoding: received, as: UTF8.self))
            }
        }
    }

    /// What standard output has held so far, once it holds `text`.
    func output(until text: String) throws -> String {
        while true {
            let output = String(decoding: received, as: UTF8.self)
            if output.contains(text) { return output }
            guard try receive() else { throw Failure.outputEnded(outputSoFar: output) }
        }
    }

    /// All of standard output. Waits for the process to end.
    func outputToEnd() throws -> [UInt8] {
        while try receive() {}
        return received
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        guard ending == nil else { return }
        Glibc.kill(identifier, number)
    }

    /// Waits for the process to end of itself.
    func wait() throws -> Ending {
        if let ending { return ending }
        _ = try outputToEnd()
        return reap()
    }

    /// Whether the process has ended of itself, without a look at what it wrote; waits for that.
    func hasEnded() -> Bool {
        for _ in 0..<Patience.seconds * 20 {
            if isGone { return true }
            usleep(50_000)
        }
        return false
    }

    /// Whether the process has ended by now.
    var isGone: Bool {
        var information = siginfo_t()
        let found = waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT)
        return found == 0 && information.si_signo == SIGCHLD
    }

    /// Ends the process at once, as a power cut would, and returns when it is gone.
    func kill() {
        guard ending == nil else { return }
        signal(SIGKILL)
        _ = reap()
    }

    private func reap() -> Ending {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        let number = status & 0x7F
        let ending = number == 0 ? Ending.exited(status >> 8 & 0xFF) : .killed(by: number)
        self.ending = ending
        return ending
    }
}

/// A command that ran to its end.
struct CommandResult {
    let status: Int32
    let output: [UInt8]
    let errors: String

    /// Standard output as text.
    var text: String { String(decoding: output, as: UTF8.self) }
}

extension TestFolder {
    /// Runs the program to its end.
    ///
    /// - Parameter input: what it finds on standard input.
    func run(
        _ arguments: String..., input: [UInt8] = [], environment: [String: String] = [:]
    ) throws -> CommandResult {
        try run(arguments, input: input, environment: environment)
    }

    /// Runs the program to its end.
    func run(
        _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
    ) throws -> CommandResult {
        let errors = path + "/command-errors"
        try write("command-errors", [])
        let process = try ChildProcess(
            try BuiltProgram.path(), arguments, environment: environment, input: try write("command-input", input),
            errors: errors)
        let output = try process.outputToEnd()
        guard case .exited(let status) = try process.wait() else {
            throw ChildProcess.Failure.outputEnded(outputSoFar: String(decoding: output, as: UTF8.self))
        }
        return CommandResult(status: status, output: output, errors: try text("command-errors"))
    }
}
