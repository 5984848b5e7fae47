public import Glibc
internal import Synchronization

/// A program that a test started, and whose standard input it holds: the program can tell when the test's process ends.
public final class SpawnedCommand: Sendable {
    /// Held from the making of a pipe until its child runs, so that no other child inherits an end of it.
    private static let spawning = Mutex(())

    /// Its process.
    public let identifier: pid_t
    private let input: Int32

    /// Starts a program, whose output goes nowhere.
    public init(_ arguments: [String]) throws {
        (identifier, input) = try Self.spawning.withLock { _ in try Self.spawn(arguments) }
    }

    private static func spawn(_ arguments: [String]) throws -> (identifier: pid_t, input: Int32) {
        var ends: [Int32] = [-1, -1]
        // Not a pipe: a write to one whose reader has just ended ends the writer, too.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw PostgresServer.Failure.command("socketpair", output: "\(errno)")
        }
        // A child that inherited the other end would keep it open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child: pid_t = 0
        let failure = SpawnAttributes().withPointer {
            posix_spawn(&child, arguments[0], &actions, $0, &pointers, environ)
        }
        guard failure == 0 else {
            close(ends[1])
            throw PostgresServer.Failure.command(arguments[0], output: String(cString: strerror(failure)))
        }
        return (child, ends[1])
    }

    /// Gives it a line, ends its input, and waits until it has ended.
    public func finish(_ line: String = "") {
        _ = send(input, line + "\n", line.utf8.count + 1, Int32(MSG_NOSIGNAL))
        close(input)
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    }
}
