package import CNghttp2
package import HTTP
package import HTTPTypes

/// A list of header fields in the form that nghttp2 requires, with the bytes of names and values in one buffer.
package struct FieldBlock {
    private struct Field {
        var nameBytes: Int
        var valueBytes: Int
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []

    /// Creates an empty list.
    package init() {
        bytes.reserveCapacity(512)
        fields.reserveCapacity(16)
    }

    /// Creates the header fields of a response. As in HTTP/1.1, the framing fields are written here, not by the
    /// handler.
    ///
    /// - Returns: nil if the response can't be sent.
    init?(_ response: Response, date: HTTPDate) {
        do throws(HTTP1Writer.Unwritable) { try HTTP1Writer.check(response) } catch { return nil }
        self.init()
        let status = response.head.status
        append(":status", String(status.code).utf8)
        var hasDate = false
        for field in response.head.headerFields {
            switch field.name.canonicalName {
            // RFC 9113 §8.2.2: HTTP/2 has no connection-specific fields.
            case "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "proxy-connection":
                continue
            case "date": hasDate = true
            default: break
            }
            append(field)
        }
        if !hasDate { append("date", date.bytes) }
        if HTTP1Writer.hasContent(status), response.stream == nil {
            append("content-length", String(response.body.count).utf8)
        }
    }

    /// - Parameter name: in lower case.
    package mutating func append(_ name: StaticString, _ value: some Sequence<UInt8>) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        let start = bytes.count
        bytes.append(contentsOf: value)
        fields.append(Field(nameBytes: name.utf8CodeUnitCount, valueBytes: bytes.count - start))
    }

    /// Appends a field, with its name in lower case (RFC 9113 §8.2).
    package mutating func append(_ field: HTTPField) {
        let start = bytes.count
        bytes.append(contentsOf: field.name.canonicalName.utf8)
        let middle = bytes.count
        field.withUnsafeBytesOfValue { bytes.append(contentsOf: $0) }
        fields.append(Field(nameBytes: middle - start, valueBytes: bytes.count - middle))
    }

    /// - Parameter name: in lower case.
    package mutating func append(_ name: String, _ value: WipedBuffer) {
        bytes.append(contentsOf: name.utf8)
        value.withUnsafeBytes { bytes.append(contentsOf: $0) }
        fields.append(Field(nameBytes: name.utf8.count, valueBytes: value.count))
    }

    /// Calls a function of nghttp2, which copies the list.
    package func withNameValues<Result>(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result) -> Result {
        var bytes = bytes
        return bytes.withUnsafeMutableBufferPointer { buffer in
            withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: fields.count) { list in
                var offset = 0
                for (index, field) in fields.enumerated() {
                    let base = buffer.baseAddress
                    list.initializeElement(
                        at: index,
                        to: nghttp2_nv(
                            name: base.map { $0 + offset }, value: base.map { $0 + offset + field.nameBytes },
                            namelen: field.nameBytes, valuelen: field.valueBytes,
                            flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)))
                    offset += field.nameBytes + field.valueBytes
                }
                return body(UnsafePointer(list.baseAddress), fields.count)
            }
        }
    }
}
