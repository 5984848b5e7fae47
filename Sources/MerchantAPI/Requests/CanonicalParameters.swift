internal import Glibc
internal import JSON
internal import Values

/// The canonical form of a request's parameters: the JSON as sent, without white space, with sorted members, without
/// null and empty members at every level, with amounts as numbers in their shortest form, and with strings in place
/// of whole numbers where the field is a string.
///
/// It is hashed to recognise a repeated request, so it must never change. It contains card data, so it is written
/// into memory that is wiped.
enum CanonicalParameters {
    /// - Parameter fields: the operation's fields, from which amounts are known.
    static func text(of document: JSONDocument, _ fields: RequestFields) -> SecretText {
        // Only a whole number that becomes a string is longer than in the request.
        var writer = JSONWriter(capacity: document.withRawBytes { $0.count })
        writer.write(canonical: document.root, .object(fields))
        return writer.withBytes { SecretText(utf8: $0) }
    }
}

extension JSONWriter {
    /// - Returns: whether the value is an object without remaining members.
    @discardableResult
    fileprivate mutating func write(canonical node: JSONNode, _ entry: RequestFields.Entry?) -> Bool {
        switch node.kind {
        case .object:
            var isEmpty = true
            beginObject()
            for member in Member.sorted(of: node) {
                let start = mark
                if member.name.isCanonical { write(name: member.name) } else { write(name: member.name.string ?? "") }
                if write(canonical: member.value, entry.flatMap { $0.isLeaf ? nil : $0[member.name.string ?? ""] }) {
                    cut(to: start)
                } else {
                    isEmpty = false
                }
            }
            endObject()
            return isEmpty
        case .array:
            beginArray()
            for element in node.elements { write(canonical: element, entry?.element) }
            endArray()
        case .string where entry?.isDecimal == true:
            _ = node.withStringBytes { write(amount: $0) }
        case .number where entry?.isDecimal == true:
            node.withRawBytes { write(amount: $0) }
        case .string where !node.isCanonical:
            _ = node.withStringBytes { write(string: $0) }
        case .number where entry?.isText == true && node.isWholeNumber:
            node.withRawBytes { write(string: $0) }
        case .string, .number, .bool, .null:
            write(raw: node)
        }
        return false
    }

    /// Writes a validated decimal without insignificant zeros.
    private mutating func write(amount decimal: UnsafeRawBufferPointer) {
        let isNegative = decimal.first == UInt8(ascii: "-")
        var digits = decimal[(isNegative ? 1 : 0)...]
        if digits.contains(UInt8(ascii: ".")) {
            while digits.last == UInt8(ascii: "0") { digits.removeLast() }
            if digits.last == UInt8(ascii: ".") { digits.removeLast() }
        }
        while digits.count > 1, digits.first == UInt8(ascii: "0"), digits.dropFirst().first != UInt8(ascii: ".") {
            digits.removeFirst()
        }
        write(number: UnsafeRawBufferPointer(rebasing: digits), isNegative: isNegative)
    }
}

extension JSONNode {
    /// Whether a string is spelled as by ``JSONWriter``: with only the required escapes, in their short form.
    fileprivate var isCanonical: Bool {
        withRawBytes { text in
            var read = 1
            while let start = text.baseAddress, let found = memchr(start + read, 0x5C, text.count - 1 - read) {
                let escape = UnsafeRawPointer(found) - start
                guard "\"\\bfnrt".utf8.contains(text[escape + 1]) else { return false }
                read = escape + 2
            }
            return true
        }
    }
}

/// A member of an object that is not null.
private struct Member {
    let name: JSONNode
    let value: JSONNode

    /// An object's members in ascending order of their names' bytes. Optimized for few members that are often sorted
    /// already.
    static func sorted(of object: JSONNode) -> [Member] {
        var sorted: [Member] = []
        sorted.reserveCapacity(object.count)
        for (name, value) in object.namedNodes where !value.isNull {
            let member = Member(name: name, value: value)
            if let last = sorted.last, member.precedes(last) {
                return object.namedNodes.filter { !$0.value.isNull }.map { Member(name: $0.name, value: $0.value) }
                    .sorted { $0.precedes($1) }
            }
            sorted.append(member)
        }
        return sorted
    }

    private func precedes(_ other: Member) -> Bool {
        name.withStringBytes { name in other.name.withStringBytes { name.lexicographicallyPrecedes($0) } } == true
    }
}
