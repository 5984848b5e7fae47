internal import Payments

extension MerchantAPI {
    /// The dotted paths of all fields that a request of any operation may have. In a path `name[]` is an array and `name.*` an
    /// object with names of the merchant's own.
    public static let fieldPaths: Set<String> = {
        let tables =
            PaymentOperation.allCases.map(PaymentFields.of) + [
                PaymentFields.session, SessionCreation.fields, Tokenization.table,
            ]
        return tables.reduce(into: []) { paths, table in paths.formUnion(table.paths) }
    }()
}

extension RequestFields {
    /// The dotted paths of the supported fields.
    fileprivate var paths: [String] {
        entries.flatMap { (name, entry) -> [String] in
            switch entry {
            case .field: return [name]
            case .custom: return [name + ".*"]
            case .object(let fields): return fields.paths.map { "\(name).\($0)" }
            case .array(let fields, _): return fields.paths.map { "\(name)[].\($0)" }
            case .unsupported: return []
            }
        }
    }
}
