/// The value of a `$n` in the binary form of PostgreSQL's protocol.
enum Parameter: Sendable {
    /// `bytea`
    case bytes([UInt8])
    /// `bigint`
    case integer(Int64)
    /// `bytea[]`
    case bytesArray([[UInt8]])
    /// `bigint[]`, with NULL for nothing
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

    /// One dimension from index 1 on (`array_send` in PostgreSQL's arrayfuncs.c); none if there is no element.
    fileprivate mutating func appendArrayHead(count: Int, elementType: Int32, hasNull: Bool) {
        append(bigEndian: Int32(count == 0 ? 0 : 1))
        append(bigEndian: Int32(hasNull ? 1 : 0))
        append(bigEndian: elementType)
        guard count > 0 else { return }
        append(bigEndian: Int32(count))
        append(bigEndian: Int32(1))
    }
}
