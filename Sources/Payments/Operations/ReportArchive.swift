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
        /// Counts the reports of all merchants.
        let number: Int
        let kept: KeptReport
        let report: [UInt8]
    }

    private struct State {
        var lastNumber = 0
        /// Only merchants that were let in have entries, so they are as few as the configured ones.
        var entries: [MerchantID: LatestEntries<Entry>] = [:]

        /// The entry of any merchant under an id.
        func entry(id: String) -> Entry? {
            entries.values.lazy.compactMap { $0.list.first { $0.kept.id == id } }.first
        }
    }

    private let state = Mutex(State())

    /// An empty archive.
    public init() {}

    /// Keeps what may be shown of a report.
    ///
    /// - Returns: 128 random bits in lower-case hexadecimal, under which the merchant finds the report again; nil if it
    ///   alone has more bytes than may be kept.
    public func keep(_ report: TokenReport, of merchant: MerchantID, at instant: Instant) -> String? {
        let masked = report.shown.serialized()
        let kept = KeptReport(
            id: Hexadecimal.encoded(RandomBytes.generate(16)), merchant: merchant, time: instant,
            refusal: report.refusal)
        return state.withLock { state in
            state.lastNumber += 1
            return state.entries[
                merchant,
                default: LatestEntries(countMax: Self.countMax, byteCountMax: Self.byteCountMax) { $0.report.count }
            ].keep(Entry(number: state.lastNumber, kept: kept, report: masked))
        } ? kept.id : nil
    }

    /// The reports that are kept, newest first.
    ///
    /// - Parameters:
    ///   - merchant: whose tokens' reports; nil for every merchant's.
    ///   - id: the id of the report before whose time all of them were kept; nil to begin with the newest.
    ///   - countMax: the maximum number of reports.
    /// - Returns: the reports, and whether there are older ones; nil if no report is kept under `id`.
    public func list(
        of merchant: MerchantID?, before id: String?, countMax: Int
    ) -> (reports: [KeptReport], hasMore: Bool)? {
        let found: [Entry]? = state.withLock { state in
            var end = Int.max
            if let id {
                guard let last = state.entry(id: id) else { return nil }
                end = last.number
            }
            let lists = merchant.map { [state.entries[$0]].compactMap { $0 } } ?? Array(state.entries.values)
            return lists.flatMap { list in list.list.prefix { $0.number < end }.suffix(countMax + 1) }
        }
        guard let found else { return nil }
        let newest = found.sorted { $0.number > $1.number }
        return (newest.prefix(countMax).map(\.kept), newest.count > countMax)
    }

    /// The report of any merchant's token, for the operator, as JSON in UTF-8; nil if there is none under this id, or
    /// no longer one.
    public func report(id: String) -> [UInt8]? {
        state.withLock { $0.entry(id: id)?.report }
    }

    /// Forgets the reports of one merchant's tokens.
    public func removeAll(of merchant: MerchantID) { state.withLock { $0.entries[merchant] = nil } }

    /// Forgets all reports.
    public func removeAll() { state.withLock { $0.entries = [:] } }
}

/// What a list of reports has of one of them.
public struct KeptReport: Sendable {
    /// The id under which the report is found.
    public let id: String
    /// Whose token was refused.
    public let merchant: MerchantID
    /// When it was refused, by the gateway's clock.
    public let time: Instant
    /// Why the first of the failed steps refused it; nil if none failed.
    public let refusal: TokenRefusal?

    /// The finding and the remedy in one text, without card data; nil if no step failed.
    public var explanation: String? {
        refusal.map { "\($0.finding) \($0.remedy)".maskingAccountNumbers() }
    }
}

extension TokenReport {
    /// The report as JSON that may be shown: card data is masked.
    public var shown: JSONValue {
        // A refusal may quote a member of the token, and a token is whatever a merchant put into its place.
        json(revealing: false).maskingAccountNumbers()
    }
}
