import HTTP
import HTTP2
import HTTPServer
import HTTPTypes

/// Runs a server on a port of the system's choice for as long as the body takes.
///
/// Its handler answers `/echo` with the request's content, `/peer`, `/scheme`, `/certificate` and `/arrival` with what a
/// request knows, `/gated` when the gate is open, `/large` with 8 MiB, `/stream` with a stream,
/// `/cut` and, when the gate is open, `/gatedcut` not at all, and anything else with its path.
func withServer<Result>(
    _ configuration: HTTPServerConfiguration = .patient, gate: Gate = Gate(),
    stream: any ResponseStream = TestStream(), host: String = "127.0.0.1", stopSeconds: Double = 0,
    _ body: (HTTPServer, BoundAddress) async throws -> Result
) async throws -> Result {
    let server = HTTPServer(configuration: configuration, clock: { 784_111_777 }) { request in
        switch request.head.path {
        case "/echo": .now(Response(status: .ok, body: request.body))
        case "/peer": .now(Response(status: .ok, body: Array("\(request.peer?.address ?? "")".utf8)))
        case "/scheme": .now(Response(status: .ok, body: Array((request.head.scheme ?? "").utf8)))
        case "/certificate": .now(Response(status: .ok, body: request.peer?.certificate?.fingerprint ?? []))
        case "/arrival": .now(Response(status: .ok, body: Array("\(request.arrival ?? 0)".utf8)))
        case "/large": .now(Response(status: .ok, body: [UInt8](repeating: 0x61, count: largeBytes)))
        case "/stream":
            .later {
                var response = Response(status: .ok)
                response.stream = stream
                return response
            }
        case "/immediate": .later { Response(status: .ok, body: Array("immediate".utf8)) }
        case "/cut": .laterOrCut { nil }
        case "/uncut": .laterOrCut { Response(status: .ok, body: Array("uncut".utf8)) }
        case "/gatedcut":
            .laterOrCut {
                await gate.pass()
                return nil
            }
        case "/gated":
            .later {
                await gate.pass()
                return Response(status: .ok, body: Array("gated".utf8))
            }
        default: .now(Response(status: .ok, body: Array((request.head.path ?? "").utf8)))
        }
    }
    let address = try server.start(host: host, port: 0)
    do {
        let result = try await body(server, address)
        gate.open()
        await server.stop(withinSeconds: stopSeconds)
        return result
    } catch {
        gate.open()
        await server.stop(withinSeconds: 0)
        throw error
    }
}

extension HTTPServerConfiguration {
    /// Deadlines that no machine is too busy for; a test of one deadline shortens that one.
    static let patient: HTTPServerConfiguration = {
        var configuration = HTTPServerConfiguration()
        configuration.handshakeTimeoutSeconds = 3600
        configuration.headerTimeoutSeconds = 3600
        configuration.requestTimeoutSeconds = 3600
        configuration.bodyTimeoutSeconds = 3600
        configuration.bodyStallTimeoutSeconds = 3600
        configuration.idleTimeoutSeconds = 3600
        configuration.writeTimeoutSeconds = 3600
        configuration.stopGraceSeconds = 0
        configuration.http2Limits.headerTimeoutSeconds = 3600
        configuration.http2Limits.bodyTimeoutSeconds = 3600
        configuration.http2Limits.idleTimeoutSeconds = 3600
        configuration.http2Limits.writeTimeoutSeconds = 3600
        return configuration
    }()

    /// Waits patiently, too, for a client that has not yet sent all when it is refused or the server stops. It is the
    /// client that ends the connection, or the end of the test.
    static let lingering: HTTPServerConfiguration = {
        var configuration = HTTPServerConfiguration.patient
        configuration.lingerTimeoutSeconds = 3600
        return configuration
    }()
}

/// Waits until something is so; the suite's time limit ends it if it never is.
func eventually(_ condition: () async throws -> Bool) async throws {
    while !(try await condition()) { try await Task.sleep(for: .milliseconds(5)) }
}

let largeBytes = 8 * 1024 * 1024

/// A request without content.
func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }
