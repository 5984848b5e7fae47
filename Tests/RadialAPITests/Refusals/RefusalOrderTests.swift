import Foundation
import HTTP
import HTTPTypes
import Testing

/// Of several faults of one request, the one that stands first in its service's table is reported.
struct RefusalOrderTests {
    @Test(arguments: RefusalTable.all)
    func `each row's fault is answered as the row says, and a request without it is not`(table: RefusalTable)
        async throws
    {
        let bench = try await RefusalBench()
        for row in table.allRows {
            var request = FaultyMessage(service: table.service)
            row.make(&request)
            let response = try await bench.send(request, of: table)
            #expect(row.answers(response, table.root), "\(table), \(row.wrong): \(response.told)")
        }
        // What is done once leaves traces.
        let good = try await RefusalBench().send(FaultyMessage(service: table.service), of: table)
        #expect(good.head.status == .ok, "\(table): \(good.told)")
    }

    @Test(arguments: RefusalTable.all)
    func `of two faults the one that stands first in the table is reported`(table: RefusalTable) async throws {
        let bench = try await RefusalBench()
        for (first, second) in table.pairs {
            var request = FaultyMessage(service: table.service)
            var reversed = request
            first.make(&request)
            second.make(&request)
            second.make(&reversed)
            first.make(&reversed)
            #expect(request == reversed, "\(table): one of these undoes the other: \(first.wrong); \(second.wrong)")
            let response = try await bench.send(request, of: table)
            #expect(
                first.answers(response, table.root),
                "\(table), \(first.wrong) before \(second.wrong): \(response.told)")
        }
    }

    @Test(arguments: RefusalTable.all)
    func `a row stands in a table once`(table: RefusalTable) {
        #expect(Set(table.allRows.map(\.wrong)).count == table.allRows.count)
    }

    @Test func `the page has the tables, and no others`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/tollgate/Tollgate.docc/Radial-Refusals.md").standardizedFileURL
        let page = try String(contentsOf: file, encoding: .utf8)
        let tables = ([.start] + RefusalTable.all).map(\.markdown).joined(separator: "\n")
        let start = try #require(page.firstRange(of: "### \(RefusalTable.start.title)")).lowerBound
        let (told, expected) = (page[start...].split(separator: "\n"), tables.split(separator: "\n"))
        for (line, wanted) in zip(told, expected) { try #require(line == wanted) }
        #expect(page[start...] == tables)
    }
}

extension Response {
    /// The fault in brief, for a test that fails.
    fileprivate var told: String {
        "\(head.status.code) | \(faultCode ?? "-") | \(faultDescription ?? String(decoding: body, as: UTF8.self))"
    }
}
