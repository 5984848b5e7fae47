import Dispatch
import OpenSSL
import Synchronization
import Values

/// What new connections are encrypted with. Changed files are taken up while the gateway runs: connections under way keep
/// what they began with, and a file that is broken leaves everything as it was, of which the operator is told once.
///
/// The keys of session tickets are changed every hour.
final class CurrentTLS: Sendable {
    private static let lookMilliseconds = 500
    private static let rotationSeconds = 3600

    private struct State {
        var context: TLSContext
        var certificate: Certificate
        var watched: WatchedFiles
    }

    private let settings: TLSSettings
    private let queue = DispatchQueue(label: "tollgate.tls", qos: .utility)
    private let state: Mutex<State>

    /// Reads the files.
    init(_ settings: TLSSettings) throws {
        self.settings = settings
        // Taken before anything is read: what changes from here on is seen as a change.
        let stamp = ConfigurationStamp(settings.files)
        let (context, certificate) = try settings.read()
        state = Mutex(State(context: context, certificate: certificate, watched: WatchedFiles(stamp)))
    }

    /// For the next connection.
    var context: TLSContext { state.withLock(\.context) }

    /// In words, what is served with, and whom clients' certificates must be of.
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

    /// One line about a certificate that has expired by the machine's clock, which clients go by, or will within 30 days.
    func warning() -> String? {
        let days = notAfter.wholeDays(after: SystemClock.now())
        guard days < CertificateExpiry.warningDays else { return nil }
        return "\(settings.certificatePath): the gateway's certificate "
            + (days < 0
                ? "has expired: clients refuse it" : "expires on \(notAfter.wholeSeconds): clients will refuse it")
    }

    /// Begins to look at the files and to change the keys of tickets, as long as the program runs.
    func start() {
        lookAgain()
        rotateAgain()
    }

    /// Reads the files anew, changed or not.
    func reloadNow() { queue.async { self.reload() } }

    private func lookAgain() {
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.lookMilliseconds)) {
            let stamp = ConfigurationStamp(self.settings.files)
            if self.state.withLock({ $0.watched.haveSettled(as: stamp) }) { self.reload() }
            self.lookAgain()
        }
    }

    private func rotateAgain() {
        queue.asyncAfter(deadline: .now() + .seconds(Self.rotationSeconds)) {
            self.context.rotateTicketKeys()
            self.rotateAgain()
        }
    }

    /// On the queue, so that there is one at a time.
    private func reload() {
        let stamp = ConfigurationStamp(settings.files)
        do {
            let (context, certificate) = try settings.read()
            state.withLock { state in
                (state.context, state.certificate) = (context, certificate)
            }
            StandardOutput.offerLine("tls         \(summary) (taken up)")
            if let warning = warning() { StandardError.offerLine(warning) }
        } catch {
            StandardError.offerLine("TLS: not taken up, new connections begin as before: \(error)")
        }
        state.withLock { $0.watched.judge(stamp) }
    }
}
