internal import JSON

/// Writes one object laid over another into a buffer that is known to be large enough; outside of it the buffer's own
/// bounds trap.
struct FieldMerge {
    let buffer: UnsafeMutableRawBufferPointer
    let keeps: (StoredFields.Layer, String) -> Bool
    private(set) var count = 0

    init(buffer: UnsafeMutableRawBufferPointer, keeps: @escaping (StoredFields.Layer, String) -> Bool) {
        self.buffer = buffer
        self.keeps = keeps
    }

    /// Writes an object over one of the same place, if there is one.
    mutating func write(_ upper: JSONNode, over lower: JSONNode?, path: String) {
        append(UInt8(ascii: "{"))
        let start = count
        for (name, value) in upper.members where !value.isNull {
            let path = path.isEmpty ? name : path + "." + name
            guard keeps(.upper, path) else { continue }
            let beneath = lower?[name].flatMap { $0.kind == .object && keeps(.lower, path) ? $0 : nil }
            write(name, isFirst: count == start)
            write(.upper, value, over: value.kind == .object ? beneath : nil, path: path)
        }
        if let lower { writeRest(of: lower, beneath: upper, isFirst: count == start, path: path) }
        append(UInt8(ascii: "}"))
    }

    /// Writes the members of the lower object that the upper one doesn't have.
    private mutating func writeRest(of lower: JSONNode, beneath upper: JSONNode, isFirst: Bool, path: String) {
        var isFirst = isFirst
        for (name, value) in lower.members where !value.isNull {
            let path = path.isEmpty ? name : path + "." + name
            guard keeps(.lower, path) else { continue }
            if let above = upper[name], !above.isNull, keeps(.upper, path) { continue }
            write(name, isFirst: isFirst)
            write(.lower, value, over: nil, path: path)
            isFirst = false
        }
    }

    private mutating func write(_ layer: StoredFields.Layer, _ value: JSONNode, over lower: JSONNode?, path: String) {
        guard value.kind == .object else {
            value.withRawBytes { append($0) }
            return
        }
        switch layer {
        case .upper: write(value, over: lower, path: path)
        case .lower: writeAlone(value, path: path)
        }
    }

    /// Writes an object of the lower layer that has nothing above it.
    private mutating func writeAlone(_ object: JSONNode, path: String) {
        append(UInt8(ascii: "{"))
        var isFirst = true
        for (name, value) in object.members where !value.isNull {
            let path = path + "." + name
            guard keeps(.lower, path) else { continue }
            write(name, isFirst: isFirst)
            write(.lower, value, over: nil, path: path)
            isFirst = false
        }
        append(UInt8(ascii: "}"))
    }

    private mutating func write(_ name: String, isFirst: Bool) {
        if !isFirst { append(UInt8(ascii: ",")) }
        JSONValue.string(name).serialized().withUnsafeBytes { append($0) }
        append(UInt8(ascii: ":"))
    }

    private mutating func append(_ byte: UInt8) {
        buffer[count] = byte
        count += 1
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(rebasing: buffer[count..<(count + bytes.count)]).copyMemory(from: bytes)
        count += bytes.count
    }
}
