import Foundation
import Glibc
import MerchantAPI
import Testing

@testable import tollgate

/// What `Dockerfile` and `Deploy` say, held to what the program does.
struct DeploymentTests {
    private static let manifests =
        ["Dockerfile", "Deploy/compose.yaml", "Deploy/haproxy.cfg", "Deploy/tollgate.service"]
        + [
            "autoscaler", "deployment", "disruption-budget", "kustomization", "namespace", "network-policy", "service",
        ].map { "Deploy/kubernetes/\($0).yaml" }

    private static func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(BuiltProgram.repository)/\(name)", encoding: .utf8)
    }

    private static func numbers(_ name: String, _ pattern: Regex<(Substring, Substring)>) throws -> [Int] {
        try text(name).matches(of: pattern).compactMap { Int($0.1) }
    }

    @Test func `every manifest is checked`() throws {
        let folder = "\(BuiltProgram.repository)/Deploy/kubernetes"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
        #expect(Set(files.map { "Deploy/kubernetes/\($0)" }).isSubset(of: Self.manifests))
    }

    @Test(arguments: manifests)
    func `a manifest names settings that there are`(name: String) throws {
        let settings = try Set(Self.text("Config/tollgate.yaml").matches(of: /TOLLGATE_[A-Z_]+/).map(\.output))
        for match in try Self.text(name).matches(of: /TOLLGATE_[A-Z_]+/) {
            #expect(settings.contains(match.output), "\(name): \(match.output)")
        }
    }

    @Test func `ports are those that the gateway listens on by default`() throws {
        let settings = try ServeSettings(options: [:], settingsPath: nil)
        let (port, operations) = (Int(settings.port), Int(OperationsListener.defaultPort))
        let control = try #require(try Self.numbers("Dockerfile", /TOLLGATE_CONTROL_PORT=(\d+)/).first)
        #expect(try Self.text("Dockerfile").contains("\nEXPOSE \(port) \(control) \(operations)\n"))
        #expect(try Self.numbers("Deploy/kubernetes/deployment.yaml", /containerPort: (\d+)/) == [port, operations])
        #expect(
            try Self.numbers("Deploy/kubernetes/network-policy.yaml", /ports: \[\{port: (\d+)\}\]/)
                == [port, operations, 5432])
        #expect(try Self.numbers("Deploy/haproxy.cfg", /\sgateway-\d:(\d+)/) == [port, port])
        #expect(try Self.numbers("Deploy/haproxy.cfg", /check port (\d+)/) == [operations])
        #expect(try Self.numbers("Deploy/tollgate.socket", /ListenStream=127\.0\.0\.1:(\d+)/) == [port])
    }

    @Test(arguments: ["deployment", "disruption-budget", "network-policy", "service"])
    func `what is for the pods names them by their label`(name: String) throws {
        let label = "{app.kubernetes.io/name: tollgate}"
        #expect(try Self.text("Deploy/kubernetes/deployment.yaml").contains("labels: \(label)"))
        let selector = /[sS]elector:(?: |\s+matchLabels: )(\{.*\})/
        let selectors = try Self.text("Deploy/kubernetes/\(name).yaml").matches(of: selector).map { String($0.1) }
        #expect(selectors.contains(label))
    }

    @Test func `the grace of a stopped gateway covers its requests`() throws {
        let drain = try ServeSettings(options: [:], settingsPath: nil).operations.drainSeconds
        let deployment = "Deploy/kubernetes/deployment.yaml"
        let pause = try #require(try Self.numbers(deployment, /sleep: \{seconds: (\d+)\}/).first)
        let grace = try #require(try Self.numbers(deployment, /terminationGracePeriodSeconds: (\d+)/).first)
        #expect(grace > pause + drain)
        #expect(try #require(try Self.numbers("Deploy/compose.yaml", /stop_grace_period: (\d+)s/).first) > drain)
        #expect(try #require(try Self.numbers("Deploy/tollgate.service", /TimeoutStopSec=(\d+)/).first) > drain)
    }

    @Test func `a cluster's secret holds what key create makes`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let keys = folder.path + "/keys"
        #expect(try folder.run("key", "create", keys).status == 0)
        let made = try Set(TestFolder.files(below: keys).map { String($0.dropFirst(keys.count + 1)) })
            // It says that this folder has no database yet, which only concerns a gateway on this folder.
            .subtracting(["first-start"])
        let kept = try Self.text("Deploy/kubernetes/kustomization.yaml")
            .matches(of: /- (\S+)=secrets\/keys\/(\S+)/).map { (key: $0.1, path: String($0.2)) }
        #expect(Set(kept.map(\.path)) == made)
        let mounted = try Self.text("Deploy/kubernetes/deployment.yaml")
            .matches(of: /\{key: (\S+), path: (\S+)\}/).map { (key: $0.1, path: String($0.2)) }
        #expect(mounted.count == kept.count)
        for (key, path) in kept { #expect(mounted.contains { $0 == (key, path) }, "\(path)") }
    }

    @Test func `the image is built with every library of the package, and from files that the builder gets`() throws {
        let dockerfile = try Self.text("Dockerfile")
        let libraries = try Self.text("Package.swift").matches(of: /\.apt\(\["([^"]+)"\]\)/).map(\.1)
        #expect(libraries.count >= 3)
        for library in libraries { #expect(dockerfile.contains(" \(library) "), "\(library)") }
        let sent = try Set(Self.text(".dockerignore").matches(of: /!(\S+)/).map(\.1))
        let copied = dockerfile.matches(of: /\nCOPY (?!--from)(.+) \S+/).flatMap { $0.1.split(separator: " ") }
        #expect(Set(copied) == sent)
        for name in sent { #expect(FileManager.default.fileExists(atPath: "\(BuiltProgram.repository)/\(name)")) }
    }

    @Test func `the image's labels name the version that the program reports`() throws {
        let dockerfile = try Self.text("Dockerfile")
        #expect(dockerfile.contains("\nARG VERSION=\(MerchantAPI.gatewayVersion)\n"))
        #expect(dockerfile.contains("org.opencontainers.image.version=\"$VERSION\""))
        let bases = dockerfile.matches(of: /\nFROM (\S+)/).map { String($0.1) }
        #expect(dockerfile.contains("org.opencontainers.image.base.name=\"\(try #require(bases.last))\""))
    }

    @Test(arguments: [("Deploy/compose.yaml", ": "), ("Deploy/kubernetes/kustomization.yaml", "=")])
    func `gateways behind a balancer have no control port`(name: String, separator: String) throws {
        #expect(try Self.text(name).contains("TOLLGATE_CONTROL_PORT\(separator)none\n"))
    }

    @Test(.enabled(if: access("/usr/bin/curl", X_OK) == 0, "curl is not installed"))
    func `the README's lines for a container end in an approved AUTHORIZE`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder, "--control-port", "0")
        defer { gateway.kill() }
        let control = try #require(try folder.readyFile("controlURL").split(separator: ":").last?.prefix { $0 != "/" })
        let blocks = try Self.text("README.md").split(separator: "```\n")
        let lines = try #require(blocks.first { $0.hasPrefix("docker build") })
        let image = try Self.text("Dockerfile")
        #expect(lines.contains("--volume tollgate:\(try #require(image.firstMatch(of: /\nVOLUME (\S+)/)).1) "))
        #expect(image.contains("\nWORKDIR /var/lib/tollgate\n"))
        // The container is this machine: a command in it is that command, in a folder with the data directory.
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/.tollgate", withDestinationPath: folder.data)
        let script = """
            cd '\(folder.path)'
            tollgate() { '\(try BuiltProgram.path())' "$@"; }
            docker() { if [ "$1" = exec ]; then shift 2; "$@"; fi; }
            \(lines.replacing("127.0.0.1:8080/", with: "127.0.0.1:\(gateway.port)/")
                .replacing("127.0.0.1:9090/", with: "127.0.0.1:\(control)/"))
            """
        let shell = try ChildProcess("/bin/sh", ["-c", script], errors: folder.path + "/shell-errors")
        let output = String(decoding: try shell.outputToEnd(), as: UTF8.self)
        #expect(try shell.wait() == .exited(0))
        #expect(output.hasPrefix("ready\n{"), "\(output)")
        #expect(output.contains(#""gatewayCode":"APPROVED""#) && output.contains(#""result":"SUCCESS""#))
        #expect(try folder.text("shell-errors").isEmpty)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
    func `systemd finds no fault with the units`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let service = try Self.text("Deploy/tollgate.service")
            .replacing("/usr/local/bin/tollgate", with: try BuiltProgram.path())
        try folder.write("tollgate.service", Array(service.utf8))
        try folder.write("tollgate.socket", Array(Self.text("Deploy/tollgate.socket").utf8))
        let process = try ChildProcess(
            "/usr/bin/systemd-analyze",
            ["verify", folder.path + "/tollgate.service", folder.path + "/tollgate.socket"], errors: folder.errors)
        #expect(try process.wait() == .exited(0))
        #expect(try folder.text("errors").isEmpty)
    }
}
