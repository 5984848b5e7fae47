internal import Glibc

/// The kernel's statistics of this process, with the metric names that Prometheus's client libraries use.
struct ProcessFigures {
    /// When the process started, in seconds since 1970-01-01T00:00:00Z; nil if it can't be read.
    let startSeconds: Double?
    /// The resident memory.
    let residentBytes: UInt64?
    /// The number of open descriptors.
    let openDescriptors: Int?
    /// The maximum number of open descriptors.
    let openDescriptorsMax: UInt64?
    /// The processor time in user and kernel mode, in microseconds.
    let processorMicroseconds: UInt64

    /// Reads the current statistics.
    init() {
        startSeconds = Self.startSeconds()
        let pages = Self.words("/proc/self/statm").dropFirst().first.flatMap { UInt64($0) }
        residentBytes = pages.map { $0 * UInt64(sysconf(Int32(_SC_PAGESIZE))) }
        openDescriptors = Self.openDescriptors()
        var limit = rlimit()
        let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        openDescriptorsMax = isKnown ? UInt64(limit.rlim_cur) : nil
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        processorMicroseconds = [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + UInt64($1.tv_sec) * 1_000_000 + UInt64($1.tv_usec)
        }
    }

    /// Writes the metrics.
    func write(to text: inout MetricsText) {
        func add(_ name: String, _ kind: MetricsText.Kind, _ help: String, _ value: String?) {
            if let value { text.add(name, kind, help, value) }
        }
        add(
            "process_start_time_seconds", .gauge, "When the process started, in seconds since 1970-01-01T00:00:00Z.",
            startSeconds.map { "\($0)" })
        add(
            "process_cpu_seconds_total", .counter, "Time on a processor, the process's own and the kernel's for it.",
            MetricsText.seconds(nanoseconds: processorMicroseconds * 1000))
        add("process_resident_memory_bytes", .gauge, "Resident memory.", residentBytes.map { String($0) })
        add("process_open_fds", .gauge, "Open file descriptors.", openDescriptors.map { String($0) })
        add(
            "process_max_fds", .gauge, "The most file descriptors that may be open.",
            openDescriptorsMax.map { String($0) })
    }

    /// The process's start time, from the boot time and the ticks between boot and start (proc(5)).
    private static func startSeconds() -> Double? {
        // The program's name, in parentheses, may contain any characters.
        let stat = text("/proc/self/stat")
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[end...].split(separator: " ")
        let boot = text("/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard fields.count > 20, let ticks = Double(fields[20]),
            let bootSeconds = boot.flatMap({ Double($0.dropFirst(6)) })
        else { return nil }
        return bootSeconds + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func openDescriptors() -> Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the descriptor of the folder itself.
        return count - 3
    }

    private static func words(_ path: String) -> [Substring] { text(path).split(separator: " ") }

    /// The content of a file below `/proc`.
    private static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += chunk[..<count]
        }
    }
}
