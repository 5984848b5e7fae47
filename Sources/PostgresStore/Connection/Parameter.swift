/// The value of a `$n` parameter in PostgreSQL's binary format.
enum Parameter: Sendable {
    /// `bytea`
    case bytes([UInt8])
    /// `bigint`
    case integer(Int64)
    /// `bytea[]`
    case bytesArray([[UInt8]])
    /// `bigint[]`; nil becomes NULL.
    case integerArray([Int64?])
    /// `boolean[]`
    case flagArray([Bool])

    func append(to bytes: inout [UInt8]) {
        switch self {
        case .bytes(let value): bytes += value
        case .integer(let value): bytes.append(bigEndian: value)
        case .bytesArray(let values):
            bytes.reserveCapacity(bytes.count + values.reduce(20) { $0 + 4 + $1.count })
            bytes.appendArrayHead(count: values.count, elementType: 17, hasNull: false)
            for value in values {
                bytes.append(bigEndian: Int32(value.count))
                bytes += value
            }
        case .integerArray(let values):
            bytes.appendArrayHead(count: values.count, elementType: 20, hasNull: values.contains(nil))
            for value in values {
                bytes.append(bigEndian: Int32(value == nil ? -1 : 8))
                if let value { bytes.append(bigEndian: value) }
            }
        case .flagArray(let values):
            bytes.appendArrayHead(count: values.count, elementType: 16, hasNull: false)
            for value in values {
                bytes.append(bigEndian: Int32(1))
                bytes.append(value ? 1 : 0)
            }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    /// An array header: one dimension with lower bound 1, or no dimension if the array is empty (`array_send` in
    /// PostgreSQL's arrayfuncs.c).
    fileprivate mutating func appendArrayHead(count: Int, elementType: Int32, hasNull: Bool) {
        append(bigEndian: Int32(count == 0 ? 0 : 1))
        append(bigEndian: Int32(hasNull ? 1 : 0))
        append(bigEndian: elementType)
        guard count > 0 else { return }
        append(bigEndian: Int32(count))
        append(bigEndian: Int32(1))
    }
}
