import Glibc

/// How a command of the banner is run in the gateway's container by a person outside it: `docker exec NAME …`.
///
/// Only a container's host has curl and a browser. Images declare a container by the variable `container` (systemd, "The
/// Container Interface"); the image of this repository does.
struct ContainerCommand {
    /// What stands before the command, with a space at its end.
    let prefix: String

    /// Docker and Podman name a container's host after the identifier of the container, 12 hexadecimal digits.
    private static let identifierLength = 12

    /// Reads the environment; nil outside of a container.
    ///
    /// - Parameters:
    ///   - hostName: the container's host name, which a user may have chosen.
    ///   - isPodman: whether Podman or Buildah runs the container.
    init?(variable: (String) -> String?, hostName: String, isPodman: Bool) {
        guard variable("container")?.isEmpty == false else { return nil }
        guard variable("KUBERNETES_SERVICE_HOST") == nil else {
            prefix = "kubectl exec \(ShellWord.quoted(hostName)) -- "
            return
        }
        let isIdentifier = hostName.utf8.count == Self.identifierLength && hostName.allSatisfy(\.isHexDigit)
        prefix = "\(isPodman ? "podman" : "docker") exec \(isIdentifier ? hostName : "CONTAINER") "
    }

    /// The command for the container of this process; nil outside of a container.
    static var current: ContainerCommand? {
        var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        let isNamed = gethostname(&name, name.count - 1) == 0
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return ContainerCommand(
            variable: { getenv($0).map { String(cString: $0) } },
            hostName: isNamed ? String(decoding: bytes, as: UTF8.self) : "",
            isPodman: File.exists("/run/.containerenv"))
    }
}
