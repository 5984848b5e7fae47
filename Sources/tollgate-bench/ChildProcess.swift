import Dispatch
import Glibc

/// A program that this process started. It is ended with its owner.
final class ChildProcess {
    let identifier: pid_t
    /// The read end of the child's standard output.
    private let output: Int32
    /// The write end of the child's standard input. Closing it tells a child that its parent no longer needs it.
    private var input: Int32
    private var hasEnded = false

    /// Starts a program.
    ///
    /// - Parameter errors: the file to which its standard error is appended; this process's standard error if nil.
    init(_ arguments: [String], errors: String? = nil) throws {
        var inputEnds: [Int32] = [-1, -1]
        var outputEnds: [Int32] = [-1, -1]
        guard pipe(&inputEnds) == 0, pipe(&outputEnds) == 0 else { throw BenchFailure(systemCall: "pipe") }
        for end in inputEnds + outputEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inputEnds[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, outputEnds[1], STDOUT_FILENO)
        if let errors {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        // Dispatch's threads block signals, and a child would inherit this. A shell that can't receive SIGCHLD waits
        // forever.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var identifier = pid_t()
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let code = posix_spawn(&identifier, arguments[0], &actions, &attributes, &words, environ)
        close(inputEnds[0])
        close(outputEnds[1])
        guard code == 0 else {
            close(inputEnds[1])
            close(outputEnds[0])
            throw BenchFailure("\(arguments[0]): \(String(cString: strerror(code)))")
        }
        self.identifier = identifier
        input = inputEnds[1]
        output = outputEnds[0]
    }

    deinit {
        end(signal: SIGKILL)
        close(output)
    }

    /// Writes to the child's standard input, then closes it.
    func send(_ bytes: [UInt8]) throws {
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes { write(input, $0.baseAddress?.advanced(by: start), $0.count - start) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw BenchFailure(systemCall: "write to a child") }
            start += count
        }
    }

    /// Returns the text after `prefix` on the first line of standard output that begins with it. Later output is read and
    /// discarded.
    func line(after prefix: String) throws -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw BenchFailure("a child ended before it wrote: \(prefix)") }
            text += buffer[..<count]
            let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            for line in lines.map({ String(decoding: $0, as: UTF8.self) }) where line.hasPrefix(prefix) {
                discardOutput()
                return String(line.dropFirst(prefix.count))
            }
        }
    }

    /// Reads and discards the child's standard output from now on.
    func discardOutput() {
        let descriptor = dup(output)
        DispatchQueue.global(qos: .utility).async {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count == 0 || count < 0 && errno != EINTR { break }
            }
            close(descriptor)
        }
    }

    /// Closes the child's standard input and waits until the child has ended by itself.
    ///
    /// - Returns: the status of `waitpid(2)`.
    func finish() -> Int32 {
        precondition(!hasEnded, "it is waited for once")
        close(input)
        return wait()
    }

    private func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        hasEnded = true
        return status
    }

    /// Whether the child is running.
    var isRunning: Bool {
        guard !hasEnded else { return false }
        var status: Int32 = 0
        hasEnded = waitpid(identifier, &status, WNOHANG) == identifier
        return !hasEnded
    }

    /// Sends a signal to the child and waits until the child has ended.
    ///
    /// - Parameter signal: the signal; with 0 none is sent, and the child must end by itself or because its input is
    ///   closed.
    /// - Returns: the status of `waitpid(2)`; 0 for a child that had ended before.
    @discardableResult
    func end(signal: Int32 = SIGTERM) -> Int32 {
        guard !hasEnded else { return 0 }
        kill(identifier, signal)
        close(input)
        return wait()
    }
}
