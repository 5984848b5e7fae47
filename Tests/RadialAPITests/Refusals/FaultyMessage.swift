import HTTPTypes
import Payments
import XML

/// A request that is good until rows of a table of refusals break it: what is sent, by whom, and what the store has.
///
/// Faults compose: each changes parts of its own, so the order in which they are made doesn't matter.
struct FaultyMessage: Equatable {
    /// The API key that is presented.
    enum Key { case right, wrong, absent }
    /// The Apple Pay token that is presented.
    enum Token { case good, defective, spent }
    /// What is wrong with the stores.
    enum StoreFault: Hashable { case fails, isFull, isFullOfParticulars, isFullOfAccountTokens }

    /// The path below `payments`, with the tender type of the good request.
    var service: String
    /// Another tender type.
    var tender: String?
    var isPathLonger = false
    var method = HTTPRequest.Method.post
    var contentType = "text/xml"
    var apiKey = Key.right
    var isOverRate = false
    var isXMLBroken = false
    var isRootOther = false
    /// The elements and attributes that differ from the good message, by their paths below the root: `Amount`,
    /// `Amount/@currencyCode`. An element is given as XML; nil leaves it out.
    var changes: [String: String?] = [:]
    var token = Token.good

    var privileges = Set(Privilege.allCases)
    var currencies: Set<Currency>?
    /// Whether the merchant has keys for Apple Pay tokens.
    var hasKeys = true
    /// Whether the connection has a certificate of the merchant's.
    var hasCertificate = true
    /// What is asked of the order, where a request names one by no change.
    var facts: Set<RefusalBench.OrderFact> = []
    var storeFaults: Set<StoreFault> = []

    /// Replaces an element or attribute, or leaves it out.
    mutating func change(_ path: String, _ value: String?) { changes.updateValue(value, forKey: path) }

    /// The path that is requested.
    var path: String {
        let segments = service.split(separator: "/").map(String.init)
        let name = tender.map { segments.dropLast() + ["\($0).xml"] } ?? segments
        return name.joined(separator: "/") + (isPathLonger ? "/more.xml" : "")
    }

    /// A good message with the changes.
    func text(_ good: Message) throws -> String {
        let root = try XMLDocument(good.text).root
        return (isXMLBroken ? "<" : "")
            + written(root, at: "", as: isRootOther ? "OtherRequest" : root.name, " xmlns=\"\(Message.namespace)\"")
    }

    private func written(_ element: XMLElement, at path: String, as name: String, _ declaration: String = "") -> String
    {
        func below(_ name: String) -> String { path.isEmpty ? name : "\(path)/\(name)" }
        var attributes = declaration
        var content = ""
        var written: Set<String> = []
        for attribute in element.attributes {
            written.insert(below("@\(attribute.name)"))
            if let value = changes[below("@\(attribute.name)")] ?? attribute.value {
                attributes += " \(attribute.name)=\"\(value)\""
            }
        }
        for child in element.children {
            written.insert(below(child.name))
            content +=
                changes[below(child.name)].map { $0 ?? "" }
                ?? self.written(child, at: below(child.name), as: child.name)
        }
        // What the good message doesn't have.
        for (changed, value) in changes.sorted(by: { $0.key < $1.key }) where !written.contains(changed) {
            let parts = changed.split(separator: "/")
            guard let value, let last = parts.last, parts.dropLast().joined(separator: "/") == path else { continue }
            if last.hasPrefix("@") { attributes += " \(last.dropFirst())=\"\(value)\"" } else { content += value }
        }
        return "<\(name)\(attributes)>\(element.children.count == 0 ? element.text : content)</\(name)>"
    }
}
