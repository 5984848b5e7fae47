import Glibc

/// What a process has used of the machine, as the kernel counts it.
struct ProcessUsage {
    /// CPU time of all its threads, those that have ended included, in nanoseconds.
    let cpuNanoseconds: UInt64
    /// How the ticks of its CPU time are shared: its own code, and the kernel on its behalf.
    let userTicks: UInt64
    let kernelTicks: UInt64

    /// Asks the kernel now.
    init(of process: pid_t) throws {
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else { throw BenchFailure("process \(process) is gone") }
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { throw BenchFailure("process \(process) is gone") }
        cpuNanoseconds = UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        // The name, in parentheses, may hold anything; state is the third field, utime the 14th (proc_pid_stat(5)).
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

    /// Whether no thread of a process runs, is about to run, or waits for a disk (proc_pid_stat(5): all are in state S).
    static func isAsleep(_ process: pid_t) -> Bool {
        let tasks = "/proc/\(process)/task"
        return BenchFile.names(in: tasks).allSatisfy { thread in
            // A thread that has ended since does nothing.
            guard let text = try? text("\(tasks)/\(thread)/stat") else { return true }
            return text[(text.lastIndex(of: ")") ?? text.startIndex)...].hasPrefix(") S")
        }
    }

    /// How many descriptors a process has open.
    static func descriptorCount(of process: pid_t) throws -> Int {
        let names = BenchFile.names(in: "/proc/\(process)/fd")
        guard !names.isEmpty else { throw BenchFailure("process \(process) is gone") }
        return names.count
    }

    /// The processes that a process's first thread started, without those that have ended.
    static func children(of parent: pid_t) throws -> [pid_t] {
        try text("/proc/\(parent)/task/\(parent)/children").split(separator: " ").compactMap { pid_t($0) }
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try BenchFile.read(path), as: UTF8.self)
    }
}

/// What a process and its children have used, each by itself.
struct FamilyUsage {
    private let members: [pid_t: ProcessUsage]

    /// Asks the kernel now.
    init(of parent: pid_t) throws {
        var members = [parent: try ProcessUsage(of: parent)]
        // Of those that have ended since, nothing is known.
        for child in try ProcessUsage.children(of: parent) { members[child] = try? ProcessUsage(of: child) }
        self.members = members
    }

    /// CPU time since an earlier instant, in nanoseconds, and how its ticks are shared.
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

/// CPU time a request, in microseconds.
struct RequestCost {
    let cpuMicroseconds: Double
    /// The share of ``cpuMicroseconds`` that the kernel spent, 0 to 1; sampled a hundred times a second.
    let kernelShare: Double

    /// What `requests` requests cost a process with its children between two instants.
    init(from start: FamilyUsage, to end: FamilyUsage, requests: Int) {
        let used = end.since(start)
        cpuMicroseconds = Double(used.cpuNanoseconds) / 1000 / Double(requests)
        let ticks = used.kernelTicks + used.userTicks
        kernelShare = ticks == 0 ? 0 : Double(used.kernelTicks) / Double(ticks)
    }

    /// What several processes cost for the same requests.
    init(sum costs: [RequestCost]) {
        cpuMicroseconds = costs.map(\.cpuMicroseconds).reduce(0, +)
        let kernel = costs.map { $0.cpuMicroseconds * $0.kernelShare }.reduce(0, +)
        kernelShare = cpuMicroseconds == 0 ? 0 : kernel / cpuMicroseconds
    }

    /// What `requests` requests cost between two instants.
    init(from start: ProcessUsage, to end: ProcessUsage, requests: Int) {
        cpuMicroseconds = Double(end.cpuNanoseconds - start.cpuNanoseconds) / 1000 / Double(requests)
        let kernel = end.kernelTicks - start.kernelTicks
        let user = end.userTicks - start.userTicks
        kernelShare = kernel + user == 0 ? 0 : Double(kernel) / Double(kernel + user)
    }
}
