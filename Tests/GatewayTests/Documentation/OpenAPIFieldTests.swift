import JSON
import TestSupport
import Testing

@testable import MerchantAPI
@testable import Payments

/// The requests of `openapi.yaml` against the tables of fields: every member of a table is in its schema, with the same
/// bounds, and no other is.
struct OpenAPIFieldTests {
    private let description: OpenAPIDescription

    init() throws { description = try OpenAPIDescription.ofRepository.get() }

    @Test(arguments: PaymentOperation.allCases)
    func `an operation's members are those of its table`(operation: PaymentOperation) throws {
        let name = try #require(Self.components[operation.rawValue])
        let schema = try description.schemas.resolved("#/components/schemas/\(name)")
        #expect(schema["properties"]?["apiOperation"] == ["const": .string(operation.rawValue), "type": "string"])
        #expect(try differences(PaymentFields.of(operation), schema, "") == [])
        let mapped = description.document["components"]?["schemas"]?["TransactionRequest"]?["discriminator"]?["mapping"]
        #expect(mapped?[operation.rawValue]?.text == "#/components/schemas/\(name)")
    }

    @Test func `one schema stands for each operation`() throws {
        let request = try description.schemas.resolved("#/components/schemas/TransactionRequest")
        guard case .array(let variants) = request["oneOf"] else {
            Issue.record("TransactionRequest is no oneOf")
            return
        }
        let names = variants.compactMap { $0["$ref"]?.text?.split(separator: "/").last.map(String.init) }
        #expect(names.sorted() == Self.components.values.sorted())
        #expect(Self.components.keys.sorted() == PaymentOperation.allCases.map(\.rawValue).sorted())
    }

    @Test(arguments: [
        ("CreateSessionRequest", SessionCreation.fields, "CREATE_SESSION"),
        ("UpdateSessionRequest", PaymentFields.session, "UPDATE_PAYER_DATA"),
        ("PaymentOptionsRequest", PaymentFields.session, "PAYMENT_OPTIONS_INQUIRY"),
        ("TokenRequest", Tokenization.table, "TOKENIZE"),
    ])
    func `the members of sessions and tokens are those of their tables`(
        name: String, table: RequestFields, operation: String
    ) throws {
        let schema = try description.schemas.resolved("#/components/schemas/\(name)")
        #expect(schema["properties"]?["apiOperation"] == ["enum": [.string(operation), .null]])
        #expect(try differences(table, schema, "") == [])
    }

    @Test func `what replies repeat is in the schema of the reply`() throws {
        let reply = try description.schemas.resolved("#/components/schemas/TransactionReply")
        for operation in PaymentOperation.allCases {
            #expect(try unrepeated(PaymentFields.of(operation), reply, "") == [])
        }
    }

    @Test(arguments: [
        ("GatewayCode", GatewayCode.allCases.map(\.rawValue)), ("OrderStatus", OrderStatus.allCases.map(\.rawValue)),
        ("TransactionType", TransactionType.allCases.map(\.rawValue)),
        ("GatewayRecommendation", GatewayRecommendation.allCases.map(\.rawValue)),
        ("CardBrand", CardBrand.allCases.map(\.rawValue)), ("CardScheme", CardScheme.allCases.map(\.rawValue)),
        ("FundingMethod", FundingMethod.allCases.map(\.rawValue)),
    ])
    func `an enumeration of replies has the words of the domain`(name: String, words: [String]) throws {
        let schema = try description.schemas.resolved("#/components/schemas/\(name)")
        #expect(schema == ["enum": .array(words.sorted().map { .string($0) }), "type": "string"])
    }

    @Test func `a decimal has the bounds of an amount`() throws {
        let amount = try description.schemas.resolved("#/components/schemas/AmountInRequest")
        #expect(amount["maxLength"] == .number(JSONNumber(Amount.charactersMax)))
        #expect(amount["maximum"] == .number(JSONNumber(Amount.unitsMax)))
    }

    private static let components = [
        "AUTHORIZE": "AuthorizeRequest", "CAPTURE": "CaptureRequest", "PAY": "PayRequest", "REFUND": "RefundRequest",
        "UPDATE_AUTHORIZATION": "UpdateAuthorizationRequest", "VERIFY": "VerifyRequest", "VOID": "VoidRequest",
    ]

    /// What differs between a table and the schema of an object, one line each.
    private func differences(_ table: RequestFields, _ schema: JSONValue, _ path: String) throws -> [String] {
        guard case .object(let properties) = schema["properties"] else { return ["\(path): no properties"] }
        var differences: [String] = []
        if schema["unevaluatedProperties"] != ["type": "null"] { differences.append("\(path): unevaluatedProperties") }
        let described = Set(properties.map(\.name))
        let known = Set(table.entries.keys)
        differences += described.subtracting(known).map { "\(path)\($0) is in no table" }
        differences += known.subtracting(described).map { "\(path)\($0) is not described" }
        for (name, entry) in table.entries {
            guard let member = properties[name], !(path.isEmpty && name == "apiOperation") else { continue }
            differences += try self.differences(entry, member, path + name)
        }
        return differences.sorted()
    }

    private func differences(_ entry: RequestFields.Entry, _ member: JSONValue, _ path: String) throws -> [String] {
        let target = try member["$ref"]?.text.map { (name) in try description.schemas.resolved(name) } ?? member
        switch entry {
        case .object(let fields):
            let isObject =
                target["not"] == ["type": ["boolean", "number", "string"]] && target["type"] == nil
                && target["maxItems"] == 0
            return (isObject ? [] : ["\(path): no object"]) + (try differences(fields, target, path + "."))
        case .array(let fields, let elementsMax):
            let isArray =
                target["type"] == ["array", "null"] && target["maxItems"] == .number(JSONNumber(elementsMax))
            let items = try target["items"].map { (items) in
                try items["$ref"]?.text.map { (name) in try description.schemas.resolved(name) } ?? items
            }
            guard isArray, let items, items["type"] == "object" else { return ["\(path): no array"] }
            return try differences(fields, items, path + "[].")
        case .custom(let rule, _):
            let value = target["patternProperties"]?["^[0-9A-Za-z]{1,99}$"]
            return value == rule.schema ? [] : ["\(path): the merchant's own names"]
        case .unsupported:
            return member == ["$ref": "#/components/schemas/NotServed"] ? [] : ["\(path): not NotServed"]
        case .field(let rule, _):
            guard case .object(var keywords) = member else { return ["\(path): no schema"] }
            keywords["description"] = nil
            switch rule {
            case .secret, .encryptedToken:
                return keywords["type"] == ["string", "null"] ? [] : ["\(path): no text"]
            default: break
            }
            let isSame =
                if case .enumeration = rule {
                    keywords["enum"]?.sortedElements == rule.schema["enum"]?.sortedElements && keywords.count == 1
                } else {
                    JSONValue.object(keywords) == rule.schema
                }
            return isSame ? [] : ["\(path): other bounds"]
        }
    }

    /// The members that replies repeat and the schema of the reply lacks.
    private func unrepeated(_ table: RequestFields, _ schema: JSONValue, _ path: String) throws -> [String] {
        var missing: [String] = []
        for (name, entry) in table.entries {
            let member = schema["properties"]?[name]
            let target = try member?["$ref"]?.text.map { (name) in try description.schemas.resolved(name) } ?? member
            switch entry {
            case .object(let fields): missing += try unrepeated(fields, target ?? [:], "\(path)\(name).")
            case .array(let fields, _):
                let items = try target?["items"].map { (items) in
                    try items["$ref"]?.text.map { (name) in try description.schemas.resolved(name) } ?? items
                }
                missing += try unrepeated(fields, items ?? [:], "\(path)\(name)[].")
            case .custom(_, .same), .field(_, .same): if target == nil { missing.append(path + name) }
            case .custom, .field, .unsupported: break
            }
        }
        return missing
    }
}

extension JSONValue {
    /// An array's elements in an order of their own.
    fileprivate var sortedElements: [String]? {
        guard case .array(let elements) = self else { return nil }
        return elements.map { String(decoding: $0.serialized(), as: UTF8.self) }.sorted()
    }
}

extension FieldRule {
    /// The rule as the description has it, without words.
    fileprivate var schema: JSONValue {
        switch self {
        case .text(let length): .object(Self.bounds(of: length))
        case .pattern(let length, let pattern):
            .object(
                {
                    var text = Self.bounds(of: length)
                    text["pattern"] = .string(pattern.expression)
                    return text
                }())
        case .enumeration(let names, _): ["enum": .array(names.map { .string($0) } + [.null])]
        case .amount: Self.reference("AmountInRequest")
        case .signedAmount: Self.reference("SignedAmountInRequest")
        case .decimal(let charactersMax): Self.reference(charactersMax == 6 ? "RateInRequest" : "QuantityInRequest")
        case .integer(let range):
            [
                "type": ["string", "integer", "null"], "pattern": "^[0-9]+$",
                "minimum": .number(JSONNumber(range.lowerBound)), "maximum": .number(JSONNumber(range.upperBound)),
            ]
        case .boolean: ["type": ["boolean", "null"]]
        case .month: Self.reference("MonthInRequest")
        case .year: Self.reference("YearInRequest")
        case .secret, .encryptedToken: ["type": ["string", "null"]]
        }
    }

    private static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    private static func bounds(of length: ClosedRange<Int>) -> JSONObject {
        [
            "type": ["string", "null"], "minLength": .number(JSONNumber(length.lowerBound)),
            "maxLength": .number(JSONNumber(length.upperBound)),
        ]
    }
}

extension FieldPattern {
    /// The shape as a regular expression that ECMA-262, Python, Rust and Swift read alike.
    fileprivate var expression: String {
        switch self {
        case .alphabeticCode: "^[A-Z]+$"
        case .alphanumeric: "^[0-9A-Za-z]+$"
        case .ascii: "^[ -~]+$"
        case .carrierCode: "^([0-9A-Za-z]{2}|[0-9]{3}|[0-9A-Za-z]{2}/[0-9]{3})$"
        case .date: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
        case .digits: "^[0-9]+$"
        case .email: #"^[^\u0000-\u0020\u007F]+@[^\u0000-\u0020\u007F@]+$"#
        case .ipAddress: "^[0-9A-Fa-f.:]+$"
        case .postcode: "^[0-9A-Za-z -]+$"
        case .time: "^[0-9]{2}:[0-9]{2}(:[0-9]{2})?(Z|[+-][0-9]{2}(:[0-9]{2})?)$"
        case .url: #"^https?://[^\u0000-\u0020\u007F]*$"#
        }
    }
}
