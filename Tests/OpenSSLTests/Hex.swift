/// The bytes that hexadecimal digits stand for; the tests' own constants only.
func hex(_ text: String) -> [UInt8] {
    precondition(text.count.isMultiple(of: 2), "two digits a byte")
    var bytes: [UInt8] = []
    var rest = text[...]
    while !rest.isEmpty {
        guard let byte = UInt8(rest.prefix(2), radix: 16) else { preconditionFailure("hexadecimal digits") }
        bytes.append(byte)
        rest = rest.dropFirst(2)
    }
    return bytes
}

extension String {
    /// The text's UTF-8.
    var bytes: [UInt8] { Array(utf8) }
}
