import Foundation
import Glibc
import Testing

@testable import tollgate

/// The addresses and commands that the banner names: they work where they are pasted.
@Suite(.enabled(if: access("/usr/bin/curl", X_OK) == 0, "curl is not installed"))
final class BannerTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }
    deinit { folder.remove() }

    /// Starts a gateway on all addresses, and waits for its banner.
    private func start(
        host: String, _ options: [String] = [], environment: [String: String] = [:]
    ) throws -> (process: ChildProcess, banner: String) {
        let process = try ChildProcess(
            try BuiltProgram.path(),
            [
                "serve", "--host", host, "--port", "0", "--operations-port", "0", "--allow-plaintext", "--data",
                folder.data,
            ] + options, environment: environment, errors: folder.errors)
        // A wrapped line goes on after 12 spaces.
        let banner = try process.output(until: "/transaction/1\"\n")
        return (process, banner.replacing("\n            ", with: " "))
    }

    /// Runs a script in a shell.
    ///
    /// - Returns: what it printed.
    private func shell(_ script: String) throws -> String {
        let shell = try ChildProcess("/bin/sh", ["-c", script], errors: folder.path + "/shell-errors")
        let output = String(decoding: try shell.outputToEnd(), as: UTF8.self)
        #expect(try shell.wait() == .exited(0))
        #expect(try folder.text("shell-errors").isEmpty)
        return output
    }

    private func line(_ banner: String, _ start: String) throws -> String {
        String(try #require(banner.split(separator: "\n").first { $0.hasPrefix(start) }).dropFirst(start.count))
    }

    @Test(arguments: ["0.0.0.0", "::"])
    func `on all addresses the banner names one that a client can use`(host: String) throws {
        let (process, banner) = try start(host: host, ["--control-port", "0", "--operations-host", host])
        defer { process.kill() }
        #expect(try process.firstLine().wholeMatch(of: /listening on http:\/\/localhost:\d+/) != nil)
        #expect(!banner.contains("\(host):") && !banner.contains("[\(host)]"))
        #expect(banner.contains("\naddresses   all of this machine (\(host))\n"))
        #expect(banner.contains("\noperations  http://localhost:"))

        let control = try line(banner, "control     ").split(separator: " ")
        let command = try #require(banner.split(separator: "to see it: ").last?.split(separator: "\n").first)
        let sandbox = try shell(
            "curl -sS -H \"Authorization: Bearer $(\(command))\" \(try #require(control.first))sandbox")
        #expect(sandbox.contains(#""baseUrl":"\#(try line(banner, "listening on "))""#))
        let url = try folder.readyFile("controlURL")
        #expect(url.hasPrefix(host == "::" ? "http://[::1]:" : "http://127.0.0.1:"))
        let mint = try #require(RunningGateway.command(ofBanner: banner))
        #expect(try shell(mint).contains(#""gatewayCode":"APPROVED""#))
    }

    @Test func `in a container the banner's commands are for the container's host`() throws {
        let (process, banner) = try start(
            host: "0.0.0.0", ["--control-port", "0"], environment: ["container": "oci"])
        defer { process.kill() }
        #expect(
            banner.contains(
                "\naddresses   all of this container (0.0.0.0); published ports are reached from its host\n"))
        #expect(banner.contains("/metrics, from inside the container only\n"))
        // docker exec CONTAINER COMMAND…
        let engine = "docker() { shift 2; \"$@\"; }; podman() { docker \"$@\"; }; "
        let command = try #require(banner.split(separator: "to see it: ").last?.split(separator: "\n").first)
        #expect(command.contains(" exec "))
        #expect(try shell(engine + command) == folder.text("data/control-token"))
        let mint = try #require(RunningGateway.command(ofBanner: banner))
        #expect(mint.contains(" exec "))
        #expect(try shell(engine + mint).contains(#""gatewayCode":"APPROVED""#))
    }

    @Test func `control that a container's host can't reach is said to be inside`() throws {
        let (process, banner) = try start(host: "0.0.0.0", environment: ["container": "oci"])
        defer { process.kill() }
        #expect(try line(banner, "control     ").hasSuffix("/_tollgate/ from inside the container only"))
    }

    @Test func `in a container with clients inside only, the commands are for a shell in it`() throws {
        let gateway = try RunningGateway(in: folder, environment: ["container": "oci"])
        defer { gateway.kill() }
        let banner = try gateway.process.output(until: "/transaction/1\"\n")
        #expect(!banner.contains(" exec ") && !banner.contains("inside the container"))
    }

    @Test(
        arguments: [
            (["container": "oci"], "3fa8b2c1d0e9", false, "docker exec 3fa8b2c1d0e9 "),
            (["container": "podman"], "3fa8b2c1d0e9", true, "podman exec 3fa8b2c1d0e9 "),
            (["container": "oci"], "shop", false, "docker exec CONTAINER "),
            (
                ["container": "oci", "KUBERNETES_SERVICE_HOST": "192.0.2.1"], "tollgate-7d4f-x2x", false,
                "kubectl exec tollgate-7d4f-x2x -- "
            ),
            (["KUBERNETES_SERVICE_HOST": "192.0.2.1"], "tollgate-7d4f-x2x", false, ""),
            ([:], "3fa8b2c1d0e9", false, ""),
        ] as [([String: String], String, Bool, String)])
    func `a command in a container begins with that of its engine`(
        environment: [String: String], hostName: String, isPodman: Bool, prefix: String
    ) {
        let container = ContainerCommand(variable: { environment[$0] }, hostName: hostName, isPodman: isPodman)
        #expect(container?.prefix ?? "" == prefix)
    }
}
