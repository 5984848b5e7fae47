internal import COpenSSL

/// A client's data for resuming a connection: secrets and the server's ticket; owns one `SSL_SESSION` reference.
///
/// `@unchecked Sendable` is safe: it is never changed after `init`, and OpenSSL locks its own changes.
public final class TLSSession: @unchecked Sendable {
    let session: OpaquePointer  // SSL_SESSION *

    init(takingOwnershipOf session: OpaquePointer) { self.session = session }
    deinit { SSL_SESSION_free(session) }
}
