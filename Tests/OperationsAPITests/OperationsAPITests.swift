import HTTP
import HTTPTypes
import JSON
import Synchronization
import Testing

@testable import OperationsAPI

struct OperationsAPITests {
    /// An API whose store does as it is told.
    private struct Asked: Sendable {
        let answers: Mutexed
        let readiness: Readiness
        let api: OperationsAPI

        init() throws {
            let answers = Mutexed()
            self.answers = answers
            readiness = Readiness(checkStore: { answers.value })
            api = OperationsAPI(
                instance: "1f", readiness: readiness, metrics: try TestGateway().metrics)
        }

        func send(_ method: HTTPRequest.Method, _ path: String) async -> Response {
            switch api.answer(.to(method, path, password: nil)) {
            case .now(let response): return response
            case .later(let operation): return await operation()
            case .laterOrCut: preconditionFailure("this API answers every request")
            }
        }
    }

    private final class Mutexed: Sendable {
        private let state = Mutex<StoreFault?>(nil)
        var value: StoreFault? { state.withLock { $0 } }
        func set(_ value: StoreFault?) { state.withLock { $0 = value } }
    }

    @Test(arguments: [
        (StoreFault.unreadable, "the store can't be read"), (.unwritable, "the store can't be written"),
        (.corrupt, "the store is corrupt"),
    ])
    func `a gateway is ready as long as its store works`(fault: StoreFault, reason: String) async throws {
        let asked = try Asked()
        #expect(await asked.send(.get, "/health/ready").head.status == .ok)
        asked.answers.set(fault)
        let refused = await asked.send(.get, "/health/ready")
        #expect(refused.head.status == .serviceUnavailable)
        let content = try JSONValue(parsing: refused.body)
        #expect(content["status"] == "NOT_READY")
        #expect(content["reason"] == .string(reason))
        #expect(content["instance"] == "1f")
        #expect(await asked.send(.get, "/health/live").head.status == .ok)
        asked.answers.set(nil)
        #expect(await asked.send(.head, "/health/ready").head.status == .ok)
    }

    @Test func `a gateway that finishes is not ready, and lives`() async throws {
        let asked = try Asked()
        asked.readiness.drain()
        let refused = await asked.send(.get, "/health/ready")
        #expect(refused.head.status == .serviceUnavailable)
        #expect(
            try JSONValue(parsing: refused.body)["reason"]
                == "the gateway was told to stop, and finishes the requests in flight")
        #expect(await asked.send(.get, "/health/live").head.status == .ok)
    }

    @Test func `the document of metrics is well formed from the start`() async throws {
        let response = try await Asked().send(.get, "/metrics?name[]=x")
        #expect(response.head.headerFields[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(response.head.headerFields[.cacheControl] == "no-store")
        let told = try Exposition(String(decoding: response.body, as: UTF8.self))
        #expect(told["tollgate_build_info", ["version": "1.0.0"]] == "1")
        #expect(told["tollgate_store_batch_size_count", ["kind": "transactions"]] == "0")
        #expect(told["tollgate_connections", ["listener": "merchants"]] == "0")
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .delete, .patch, .options])
    func `nothing can be changed here`(method: HTTPRequest.Method) async throws {
        for path in ["/health/live", "/health/ready", "/metrics"] {
            let response = try await Asked().send(method, path)
            #expect(response.head.status == .methodNotAllowed)
            #expect(response.head.headerFields[.allow] == "GET, HEAD")
        }
    }

    @Test(arguments: [
        "", "/", "/health", "/health/", "/health/live/", "/Metrics", "/metrics/x", "/_tollgate/metrics", "//metrics",
    ])
    func `there is nothing else`(path: String) async throws {
        #expect(try await Asked().send(.get, path).head.status == .notFound)
    }
}
