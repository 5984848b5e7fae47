import Foundation
import HTTP
import HTTPTypes
import Testing

/// Of several faults of one request the one that stands first in its operation's table is told.
struct RefusalOrderTests {
    @Test(arguments: RefusalTable.all)
    func `each row's fault is refused as the row says, and a request without it is not`(table: RefusalTable)
        async throws
    {
        let bench = try await RefusalBench()
        for call in table.calls {
            for source in call.sources {
                for row in table.allRows where row.sources.contains(source) {
                    var request = call.request(source)
                    row.make(&request)
                    let response = try await bench.send(request, as: call)
                    #expect(row.answers(response), "\(call), \(source.rawValue), \(row.wrong): \(response.refusal)")
                }
                // What is done once leaves traces.
                let good = try await RefusalBench().send(call.request(source), as: call)
                #expect(
                    good.status < 300 || table.rows.contains { $0.wrong.hasPrefix("Always") },
                    "\(call), \(source.rawValue): \(good.refusal)")
            }
        }
    }

    @Test(arguments: RefusalTable.all)
    func `of two faults the one that stands first in the table is told`(table: RefusalTable) async throws {
        let bench = try await RefusalBench()
        for call in table.calls {
            for (first, second) in table.pairs {
                let source = try #require(
                    call.sources.first { first.sources.contains($0) && second.sources.contains($0) })
                var request = call.request(source)
                second.make(&request)
                first.make(&request)
                #expect(
                    request == FaultyRequest.composed(first, second, call.request(source)),
                    "\(call): one of these undoes the other: \(first.wrong); \(second.wrong)")
                let response = try await bench.send(request, as: call)
                #expect(
                    first.answers(response),
                    "\(call), \(source.rawValue), \(first.wrong) before \(second.wrong): \(response.refusal)")
            }
        }
    }

    @Test(arguments: RefusalTable.all)
    func `every exclusion is of rows of its table`(table: RefusalTable) {
        let names = Set(table.allRows.map(\.wrong))
        #expect(names.count == table.allRows.count, "a row stands in the table twice")
        for exclusion in table.exclusions {
            for rows in [exclusion.one, exclusion.other] {
                #expect(rows.contains { names.contains($0.wrong) }, "\(exclusion.reason)")
            }
        }
    }

    @Test(arguments: [
        (#""correlationId":"","unknown":1"#, "400 | correlationId | INVALID"),
        (#""unknown":1,"correlationId":"""#, "400 | - | - | Unexpected parameter 'unknown'"),
        (#""paymentPlan":{"planId":"1"},"unknown":1"#, "400 | paymentPlan | UNSUPPORTED"),
        (#""unknown":1,"paymentPlan":{"planId":"1"}"#, "400 | - | - | Unexpected parameter 'unknown'"),
    ])
    func `of faults of single fields the first in the content is told`(members: String, told: String) async throws {
        let response = await (try TestAPI()).send(.put, body: #"{\#(members),"apiOperation":"PAY"}"#)
        #expect(response.refusal.hasPrefix(told), "\(response.refusal)")
    }

    @Test func `the page has the tables, and no others`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/tollgate/Tollgate.docc/Refusals.md").standardizedFileURL
        let page = try String(contentsOf: file, encoding: .utf8)
        let tables = (RefusalTable.shared + RefusalTable.all).map(\.markdown).joined(separator: "\n")
        let start = try #require(page.firstRange(of: "## \(RefusalTable.shared[0].title)")).lowerBound
        let (told, expected) = (page[start...].split(separator: "\n"), tables.split(separator: "\n"))
        for (line, wanted) in zip(told, expected) { try #require(line == wanted) }
        #expect(page[start...] == tables)
    }
}

extension FaultyRequest {
    /// A request with two faults, the first of them made first.
    fileprivate static func composed(_ first: RefusalRow, _ second: RefusalRow, _ good: FaultyRequest) -> FaultyRequest
    {
        var request = good
        first.make(&request)
        second.make(&request)
        return request
    }
}
