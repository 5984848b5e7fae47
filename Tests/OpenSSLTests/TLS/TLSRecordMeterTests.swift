import Testing

@testable import OpenSSL

struct TLSRecordMeterTests {
    private func established() -> TLSRecordMeter {
        var meter = TLSRecordMeter(isServer: true)
        meter.establish()
        return meter
    }

    private func admit(_ bytes: [UInt8], to meter: inout TLSRecordMeter, isTLS13: Bool = true) throws {
        try bytes.withUnsafeBytes { try meter.admit($0, isTLS13: isTLS13) }
    }

    @Test(arguments: [[23, 3, 3, 0, 3, 1, 2, 3], [21, 3, 3, 0, 2, 1, 0], [22, 3, 3, 0, 0]] as [[UInt8]])
    func `records without application data may be 32 in a row`(record: [UInt8]) throws {
        var meter = established()
        for _ in 0..<32 { try admit(record, to: &meter) }
        #expect(throws: TLSFailure.tooManyRecords) { try admit(record, to: &meter) }
    }

    @Test func `records that arrive byte by byte are counted alike`() throws {
        var meter = established()
        for _ in 0..<32 {
            for byte: UInt8 in [23, 3, 3, 0, 2, 9, 9] { try admit([byte], to: &meter) }
        }
        #expect(throws: TLSFailure.tooManyRecords) {
            for byte: UInt8 in [23, 3, 3, 0, 2, 9, 9] { try admit([byte], to: &meter) }
        }
    }

    @Test func `application data resets the count`() throws {
        var meter = established()
        for _ in 0..<1000 {
            try admit([23, 3, 3, 0, 3, 1, 2, 3], to: &meter)
            meter.noteApplicationData()
        }
    }

    @Test func `a handshake may have 128 KiB`() throws {
        var meter = TLSRecordMeter(isServer: false)
        for _ in 0..<32 { try admit([UInt8](repeating: 22, count: 4096), to: &meter) }
        #expect(throws: TLSFailure.tooLarge) { try admit([22], to: &meter) }
    }

    @Test func `what is sealed is not taken for a hello`() throws {
        var meter = TLSRecordMeter(isServer: true)
        // A hello of TLS 1.2 that resumes, ChangeCipherSpec, and a Finished that looks like a long hello.
        try admit([22, 3, 3, 0, 6, 1, 0, 0, 2, 9, 9, 20, 3, 3, 0, 1, 1], to: &meter, isTLS13: false)
        try admit([22, 3, 3, 0, 5, 1, 0xFF, 0xFF, 0xFF, 0], to: &meter, isTLS13: false)
        var other = TLSRecordMeter(isServer: true)
        try admit([22, 3, 3, 0, 6, 1, 0, 0, 2, 9, 9, 23, 3, 3, 0, 1, 1], to: &other)
        try admit([22, 3, 3, 0, 5, 1, 0xFF, 0xFF, 0xFF, 0], to: &other)
    }

    @Test func `a client does not look for hellos`() throws {
        var meter = TLSRecordMeter(isServer: false)
        try admit([22, 3, 3, 0, 5, 1, 0xFF, 0xFF, 0xFF, 0], to: &meter)
    }
}
