internal import Glibc

/// A command that ran to its end, with everything that it printed.
///
/// Tests don't use Foundation's `Process`: before it starts a program it lists the descriptors of its own process, and it reads
/// beyond the end of that list if there are more than about 1,350 of them. A run of all tests has more.
public struct FinishedCommand: Sendable {
    /// It could not be started.
    public struct NotStarted: Error {
        /// The program's path and the system's reason.
        public let reason: String
    }

    /// Its exit status; 128 and the signal's number if a signal ended it.
    public let status: Int32
    /// What it wrote to standard output.
    public let output: [UInt8]
    /// What it wrote to standard error.
    public let errors: [UInt8]

    /// Runs a program and waits until it ends.
    ///
    /// - Parameters:
    ///   - program: its absolute path.
    ///   - arguments: without the program's name.
    ///   - directory: its working directory, by default this process's.
    ///   - input: its standard input.
    /// - Throws: `NotStarted`.
    public init(_ program: String, _ arguments: [String], in directory: String? = nil, input: [UInt8] = []) throws {
        // Unlike a pipe a file holds any amount, so nobody has to read while the command writes.
        let files = try NamelessFiles()
        try files.write(input)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, files.input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, files.output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, files.errors, STDERR_FILENO)

        let words = (directory.map { ["/usr/bin/env", "-C", $0] } ?? []) + [program] + arguments
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child: pid_t = 0
        let failure = SpawnAttributes().withPointer {
            posix_spawn(&child, words[0], &actions, $0, &pointers, environ)
        }
        guard failure == 0 else { throw NotStarted(reason: "\(program): \(String(cString: strerror(failure)))") }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        self.status = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        output = files.read(files.output)
        errors = files.read(files.errors)
    }

    /// What it wrote to standard output, as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// What it wrote to standard error, as text.
    public var errorText: String { String(decoding: errors, as: UTF8.self) }
}

/// Three files without a name, for a command's input and output.
private struct NamelessFiles: ~Copyable {
    let input: Int32
    let output: Int32
    let errors: Int32

    init() throws {
        input = Self.make()
        output = Self.make()
        errors = Self.make()
        guard input >= 0, output >= 0, errors >= 0 else {
            throw FinishedCommand.NotStarted(reason: "mkstemp: \(String(cString: strerror(errno)))")
        }
    }

    private static func make() -> Int32 {
        var path = Array("/tmp/tollgate-command-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return -1 }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    deinit {
        for descriptor in [input, output, errors] where descriptor >= 0 { close(descriptor) }
    }

    /// Writes the whole input, from whose start the command reads.
    func write(_ bytes: [UInt8]) throws {
        var count = 0
        while count < bytes.count {
            let written = bytes[count...].withUnsafeBytes { pwrite(input, $0.baseAddress, $0.count, off_t(count)) }
            guard written > 0 else {
                throw FinishedCommand.NotStarted(reason: "write: \(String(cString: strerror(errno)))")
            }
            count += written
        }
    }

    /// The bytes of a file that the command wrote.
    func read(_ descriptor: Int32) -> [UInt8] {
        let length = Int(lseek(descriptor, 0, SEEK_END))
        guard length > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, length, 0))
        }
    }
}
