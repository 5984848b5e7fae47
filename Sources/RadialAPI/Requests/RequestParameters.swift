internal import OpenSSL
internal import Values
internal import XML

/// The idempotency fingerprint of a request: its elements, attributes and values. The order of elements, prefixes,
/// comments and the white space between elements don't count.
enum RequestParameters {
    /// The parameters of a request. Each text is replaced by its digest, so that no card data is copied.
    ///
    /// - Parameter path: the path without the store.
    static func text(of request: XMLElement, _ path: String) -> SecretText {
        var text = Array(path.utf8) + [UInt8(ascii: "\n")]
        append(request, to: &text)
        return text.withUnsafeBytes { SecretText(utf8: $0) }
    }

    private static func append(_ element: XMLElement, to text: inout [UInt8]) {
        text += Array("<\(element.name)".utf8)
        let attributes = element.attributes.filter { $0.namespace == nil }.sorted { $0.name < $1.name }
        for attribute in attributes { text += Array(" \(attribute.name)=\(digest(attribute.value))".utf8) }
        text.append(UInt8(ascii: ">"))
        let children = element.children.sorted { $0.name < $1.name }
        if children.isEmpty { text += element.withTextBytes { Array(Hexadecimal.encoded(SHA256.hash($0)).utf8) } }
        for child in children { append(child, to: &text) }
        text.append(UInt8(ascii: "/"))
    }

    private static func digest(_ value: String) -> String { Hexadecimal.encoded(SHA256.hash(Array(value.utf8))) }
}
