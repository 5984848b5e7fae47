import Synchronization
import Testing

@testable import tollgate

struct UnexpectedTLSReportTests {
    @Test func `there is a line a minute at most, which counts what was left out`() {
        let time = Mutex<UInt64>(1)
        let lines = Mutex<[String]>([])
        let report = UnexpectedTLSReport(
            now: { time.withLock(\.self) }, report: { line in lines.withLock { $0.append(line) } })
        for _ in 0..<3 { report.note("192.0.2.1") }
        time.withLock { $0 += UnexpectedTLSReport.pause }
        report.note("192.0.2.2")
        let told = lines.withLock(\.self)
        #expect(told.count == 2)
        #expect(told.first?.hasSuffix("--tls-key") == true)
        #expect(told.last?.hasPrefix("192.0.2.2 ") == true)
        #expect(told.last?.hasSuffix("(2 more since the last such line)") == true)
    }
}
