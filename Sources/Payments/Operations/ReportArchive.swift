public import ApplePay
public import JSON
internal import OpenSSL
internal import Synchronization
public import Values

/// The reports of refused tokens, kept in memory for the merchants whose tokens they were, the latest of each.
///
/// A report is kept as masked JSON: account numbers, cryptograms and names are neither in it nor in anything else here.
public final class ReportArchive: Sendable {
    /// How many reports a merchant has at most; its oldest goes when another one comes.
    public static let countMax = 256
    /// How many bytes the reports of one merchant have at most together; one has some 2,000.
    public static let byteCountMax = 1 << 20

    private struct Entry {
        let id: String
        let report: [UInt8]
    }

    /// Only merchants that were let in have entries, so they are as few as the configured ones.
    private let entries = Mutex<[MerchantID: LatestEntries<Entry>]>([:])

    /// An empty archive.
    public init() {}

    /// Keeps what may be shown of a report.
    ///
    /// - Returns: 128 random bits in lower-case hexadecimal, under which the merchant finds the report again; nil if it
    ///   alone has more bytes than may be kept.
    public func keep(_ report: TokenReport, of merchant: MerchantID) -> String? {
        let masked = report.shown.serialized()
        let entry = Entry(id: Hexadecimal.encoded(RandomBytes.generate(16)), report: masked)
        return entries.withLock { entries in
            entries[
                merchant,
                default: LatestEntries(countMax: Self.countMax, byteCountMax: Self.byteCountMax) { $0.report.count }
            ].keep(entry)
        } ? entry.id : nil
    }

    /// The report of any merchant's token, for the operator, as JSON in UTF-8; nil if there is none under this id, or
    /// no longer one.
    public func report(id: String) -> [UInt8]? {
        entries.withLock { entries in
            entries.values.lazy.compactMap { $0.list.first { $0.id == id }?.report }.first
        }
    }

    /// Forgets all reports.
    public func removeAll() { entries.withLock { $0.removeAll() } }
}

extension TokenReport {
    /// The report as JSON that may be shown: card data is masked.
    public var shown: JSONValue {
        // A refusal may quote a member of the token, and a token is whatever a merchant put into its place.
        json(revealing: false).maskingAccountNumbers()
    }
}
