public import ApplePay
public import JSON
internal import OpenSSL
internal import Synchronization
public import Values

/// The latest reports of refused tokens of each merchant, in memory.
///
/// Reports are stored as masked JSON: no account numbers, cryptograms or names are kept here.
public final class ReportArchive: Sendable {
    /// The maximum number of reports of a merchant; a further report evicts the oldest.
    public static let countMax = 256
    /// The maximum number of bytes of a merchant's reports together; a report has some 2,000.
    public static let byteCountMax = 1 << 20

    private struct Entry {
        /// The number of reports that were added, of all merchants.
        let number: Int
        let kept: KeptReport
        let report: [UInt8]
    }

    private struct State {
        var lastNumber = 0
        /// Only authenticated merchants have entries, so there are at most as many as configured merchants.
        var entries: [MerchantID: LatestEntries<Entry>] = [:]

        /// The entry with this id, of any merchant.
        func entry(id: String) -> Entry? {
            entries.values.lazy.compactMap { $0.list.first { $0.kept.id == id } }.first
        }
    }

    private let state = Mutex(State())

    /// Creates an empty archive.
    public init() {}

    /// Adds a report in masked form.
    ///
    /// - Returns: the report's id, 128 random bits in lower-case hexadecimal; nil if the report alone exceeds the
    ///   maximum number of bytes.
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

    /// Lists the reports, newest first.
    ///
    /// - Parameters:
    ///   - merchant: the merchant whose tokens were refused; nil for all merchants.
    ///   - id: the id of a report; only older reports are listed; nil to begin with the newest.
    ///   - countMax: the maximum number of reports.
    /// - Returns: the reports, and whether there are older ones; nil if there is no report with this `id`.
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

    /// The report with this id, of any merchant, for the operator, as JSON in UTF-8; nil if there is none or it was
    /// evicted.
    public func report(id: String) -> [UInt8]? {
        state.withLock { $0.entry(id: id)?.report }
    }

    /// Removes the reports of one merchant's tokens.
    public func removeAll(of merchant: MerchantID) { state.withLock { $0.entries[merchant] = nil } }

    /// Removes all reports.
    public func removeAll() { state.withLock { $0.entries = [:] } }
}

/// A report's entry in a list.
public struct KeptReport: Sendable {
    /// The report's id.
    public let id: String
    /// The merchant whose token was refused.
    public let merchant: MerchantID
    /// The time of the refusal by the gateway's clock.
    public let time: Instant
    /// The refusal of the first failed step; nil if no step failed.
    public let refusal: TokenRefusal?

    /// The finding and the remedy in one string, without card data; nil if no step failed.
    public var explanation: String? {
        refusal.map { "\($0.finding) \($0.remedy)".maskingAccountNumbers() }
    }
}

extension TokenReport {
    /// The report as JSON that may be shown: card data is masked.
    public var shown: JSONValue {
        // A refusal may quote a member of the token, whose content is untrusted.
        json(revealing: false).maskingAccountNumbers()
    }
}
