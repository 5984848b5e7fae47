import ApplePaySandbox
import Dispatch
import OpenSSL
import Synchronization
import Values

/// The TLS context for new connections. Changed files are reloaded while the gateway runs; open connections keep their
/// context. If a file is invalid, the old context stays in force, and the operator gets one error line.
///
/// The keys of session tickets are rotated every hour.
final class CurrentTLS: Sendable {
    private static let lookMilliseconds = 500
    private static let rotationSeconds = 3600

    private struct State {
        var context: TLSContext
        var certificate: Certificate
        var watched: WatchedFiles
        /// The sandbox's authority, whose merchant identity certificates are accepted.
        var sandboxAuthority: Certificate?
    }

    private let settings: TLSSettings
    private let queue = DispatchQueue(label: "tollgate.tls", qos: .utility)
    private let state: Mutex<State>

    /// Reads the files.
    init(_ settings: TLSSettings) throws {
        self.settings = settings
        // Taken before reading, so that a change during the read is detected later.
        let metadata = FileMetadata(settings.files)
        let (context, certificate) = try settings.read(sandbox: nil)
        state = Mutex(State(context: context, certificate: certificate, watched: WatchedFiles(metadata)))
    }

    /// Accepts the merchant identity certificates of a sandbox's authority from now on, and makes the sandbox merchant's if
    /// it is missing.
    func acceptMerchantIdentities(of authority: LocalAuthority, _ directory: DataDirectory) throws {
        _ = try directory.merchantIdentity()
        let (context, _) = try settings.read(sandbox: authority.intermediate)
        state.withLock { state in (state.context, state.sandboxAuthority) = (context, authority.intermediate) }
    }

    /// The context for the next connection.
    var context: TLSContext { state.withLock(\.context) }

    /// The certificate, its expiry and the policy for client certificates, as text.
    var summary: String {
        let clients =
            switch settings.clientCertificates {
            case .none: ""
            case .optional: "; clients may present a certificate"
            case .required: "; clients must present a certificate"
            }
        return "\(settings.certificatePath), until \(notAfter.wholeSeconds)\(clients)"
    }

    /// When the gateway's own certificate expires.
    var notAfter: Instant { Instant(secondsSinceEpoch: state.withLock(\.certificate.notAfterSecondsSinceEpoch)) }

    /// A one-line warning if the certificate has expired or expires within 30 days; otherwise nil. It uses the system
    /// clock, as clients do.
    func warning() -> String? {
        let days = notAfter.wholeDays(after: SystemClock.now())
        guard days < CertificateExpiry.warningDays else { return nil }
        return "\(settings.certificatePath): the gateway's certificate "
            + (days < 0
                ? "has expired: clients refuse it" : "expires on \(notAfter.wholeSeconds): clients will refuse it")
    }

    /// Starts the checks of the files and the rotation of the ticket keys, which continue until the program ends.
    func start() {
        scheduleCheck()
        scheduleTicketKeyRotation()
    }

    /// Reads the files again, changed or not.
    func reloadNow() { queue.async { self.reload() } }

    private func scheduleCheck() {
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.lookMilliseconds)) {
            let metadata = FileMetadata(self.settings.files)
            if self.state.withLock({ $0.watched.haveSettled(as: metadata) }) { self.reload() }
            self.scheduleCheck()
        }
    }

    private func scheduleTicketKeyRotation() {
        queue.asyncAfter(deadline: .now() + .seconds(Self.rotationSeconds)) {
            self.context.rotateTicketKeys()
            self.scheduleTicketKeyRotation()
        }
    }

    /// Runs on the queue, so that reloads never overlap.
    private func reload() {
        let metadata = FileMetadata(settings.files)
        do {
            let (context, certificate) = try settings.read(sandbox: state.withLock(\.sandboxAuthority))
            state.withLock { state in
                (state.context, state.certificate) = (context, certificate)
            }
            StandardOutput.offerLine("tls         \(summary) (reloaded)")
            if let warning = warning() { StandardError.offerLine(warning) }
        } catch {
            StandardError.offerLine("TLS: not reloaded, new connections begin as before: \(error)")
        }
        state.withLock { $0.watched.judge(metadata) }
    }
}
