import Foundation
import Glibc

/// What another process of this user has in its memory.
struct ProcessMemory {
    private let identifier: pid_t

    init(of process: ChildProcess) { identifier = process.identifier }

    /// What of the scanner's patterns lies in memory that the process can write to: heap, stacks, and data.
    func findings(_ scanner: SecretScanner) throws -> [String] {
        let memory = open("/proc/\(identifier)/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(memory) }
        var found: Set<String> = []
        for region in try regions() {
            // Patterns are short: what lies across two pieces is found in neither only if it is longer than the overlap.
            for start in stride(from: region.lowerBound, to: region.upperBound, by: Int(Self.pieceBytes)) {
                var piece = [UInt8](
                    repeating: 0, count: Int(min(region.upperBound - start, Self.pieceBytes + Self.overlapBytes)))
                let count = pread(memory, &piece, piece.count, off_t(start))
                guard count > 0 else { continue }
                for pattern in scanner.patterns where !found.contains(pattern.name) {
                    if piece[..<count].withUnsafeBytes({ $0.holds(pattern.bytes) }) { found.insert(pattern.name) }
                }
            }
        }
        return found.sorted()
    }

    /// What is found, and found again each time: who is answered may see the reply before the gateway's thread has done the
    /// next step, which is to release the request.
    func settledFindings(_ scanner: SecretScanner) throws -> [String] {
        var found = try findings(scanner)
        for _ in 0..<5 where !found.isEmpty {
            usleep(200_000)
            found = try findings(SecretScanner(patterns: scanner.patterns.filter { found.contains($0.name) }))
        }
        return found
    }

    private static let pieceBytes: UInt = 1 << 20
    private static let overlapBytes: UInt = 1024

    /// The writable regions, by `/proc/<pid>/maps` (proc(5)).
    private func regions() throws -> [Range<UInt>] {
        let maps = try String(contentsOfFile: "/proc/\(identifier)/maps", encoding: .utf8)
        return maps.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count >= 2, fields[1].hasPrefix("rw") else { return nil }
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            // What is larger is no memory of a program's, but the shadow that a sanitizer keeps of all there could be.
            return ends.count == 2 && ends[1] - ends[0] < 1 << 36 ? ends[0]..<ends[1] : nil
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes stand somewhere. The C library looks for the first of them that is not zero, for most of a
    /// process's memory is.
    fileprivate func holds(_ wanted: [UInt8]) -> Bool {
        let anchor = wanted.firstIndex { $0 != 0 } ?? 0
        var start = anchor
        while start + wanted.count - anchor <= count, let base = baseAddress,
            let candidate = memchr(base + start, Int32(wanted[anchor]), count - start - wanted.count + anchor + 1)
        {
            if memcmp(UnsafeRawPointer(candidate) - anchor, wanted, wanted.count) == 0 { return true }
            start = UnsafeRawPointer(candidate) - base + 1
        }
        return false
    }
}
