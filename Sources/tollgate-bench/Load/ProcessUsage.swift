import Glibc

/// The resources that a process has used, as the kernel reports them.
struct ProcessUsage {
    /// CPU time of all threads, including those that have ended, in nanoseconds.
    let cpuNanoseconds: UInt64
    /// Clock ticks of CPU time in user mode; the kernel's ticks for the process are counted separately.
    let userTicks: UInt64
    let kernelTicks: UInt64

    /// Reads the current values from the kernel.
    init(of process: pid_t) throws {
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else { throw BenchFailure("process \(process) is gone") }
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { throw BenchFailure("process \(process) is gone") }
        cpuNanoseconds = UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        // The name, in parentheses, may contain any characters; state is the third field, utime the 14th
        // (proc_pid_stat(5)).
        let text = try Self.text("/proc/\(process)/stat")
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 13, let user = UInt64(fields[12]), let kernel = UInt64(fields[13]) else {
            throw BenchFailure("/proc/\(process)/stat is not as proc_pid_stat(5) says")
        }
        userTicks = user
        kernelTicks = kernel
    }

    /// Resident memory of a process, in bytes.
    static func residentBytes(of process: pid_t) throws -> Int {
        for line in try text("/proc/\(process)/status").split(separator: "\n") where line.hasPrefix("VmRSS:") {
            let number = line.filter(\.isNumber)
            if let kibibytes = Int(number) { return kibibytes * 1024 }
        }
        throw BenchFailure("process \(process) has no resident memory")
    }

    /// Whether all threads of a process sleep: none is running, ready to run, or waiting for a disk (proc_pid_stat(5):
    /// state S).
    static func isAsleep(_ process: pid_t) -> Bool {
        let tasks = "/proc/\(process)/task"
        return BenchFile.names(in: tasks).allSatisfy { thread in
            // A thread that has just ended counts as asleep.
            guard let text = try? text("\(tasks)/\(thread)/stat") else { return true }
            return text[(text.lastIndex(of: ")") ?? text.startIndex)...].hasPrefix(") S")
        }
    }

    /// The number of open descriptors of a process.
    static func descriptorCount(of process: pid_t) throws -> Int {
        let names = BenchFile.names(in: "/proc/\(process)/fd")
        guard !names.isEmpty else { throw BenchFailure("process \(process) is gone") }
        return names.count
    }

    /// The running child processes that a process's first thread started.
    static func children(of parent: pid_t) throws -> [pid_t] {
        try text("/proc/\(parent)/task/\(parent)/children").split(separator: " ").compactMap { pid_t($0) }
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try BenchFile.read(path), as: UTF8.self)
    }
}

/// The resources used by a process and its child processes, each separately.
struct FamilyUsage {
    private let members: [pid_t: ProcessUsage]

    /// Reads the current values from the kernel.
    init(of parent: pid_t) throws {
        var members = [parent: try ProcessUsage(of: parent)]
        // A child that has just ended is omitted.
        for child in try ProcessUsage.children(of: parent) { members[child] = try? ProcessUsage(of: child) }
        self.members = members
    }

    /// CPU time since an earlier reading, in nanoseconds, with its ticks in user mode and in the kernel.
    fileprivate func since(_ start: FamilyUsage) -> (cpuNanoseconds: UInt64, userTicks: UInt64, kernelTicks: UInt64) {
        members.reduce((0, 0, 0)) { sum, member in
            let before = start.members[member.key]
            return (
                sum.0 + member.value.cpuNanoseconds - (before?.cpuNanoseconds ?? 0),
                sum.1 + member.value.userTicks - (before?.userTicks ?? 0),
                sum.2 + member.value.kernelTicks - (before?.kernelTicks ?? 0)
            )
        }
    }
}

/// CPU time per request, in microseconds.
struct RequestCost {
    let cpuMicroseconds: Double
    /// The fraction of ``cpuMicroseconds`` that was spent in the kernel, 0 to 1; sampled a hundred times a second.
    let kernelShare: Double

    /// The cost per request for a process and its children, if they handled `requests` requests between two readings.
    init(from start: FamilyUsage, to end: FamilyUsage, requests: Int) {
        let used = end.since(start)
        cpuMicroseconds = Double(used.cpuNanoseconds) / 1000 / Double(requests)
        let ticks = used.kernelTicks + used.userTicks
        kernelShare = ticks == 0 ? 0 : Double(used.kernelTicks) / Double(ticks)
    }

    /// The total cost for several processes that shared the same requests.
    init(sum costs: [RequestCost]) {
        cpuMicroseconds = costs.map(\.cpuMicroseconds).reduce(0, +)
        let kernel = costs.map { $0.cpuMicroseconds * $0.kernelShare }.reduce(0, +)
        kernelShare = cpuMicroseconds == 0 ? 0 : kernel / cpuMicroseconds
    }

    /// The cost per request for a process that handled `requests` requests between two readings.
    init(from start: ProcessUsage, to end: ProcessUsage, requests: Int) {
        cpuMicroseconds = Double(end.cpuNanoseconds - start.cpuNanoseconds) / 1000 / Double(requests)
        let kernel = end.kernelTicks - start.kernelTicks
        let user = end.userTicks - start.userTicks
        kernelShare = kernel + user == 0 ? 0 : Double(kernel) / Double(kernel + user)
    }
}
