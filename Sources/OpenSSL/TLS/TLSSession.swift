internal import COpenSSL

/// What a client keeps of a connection to resume it: secrets and the server's ticket; owns one `SSL_SESSION` reference.
///
/// `@unchecked Sendable`: never changed after `init`; OpenSSL locks what it changes itself.
public final class TLSSession: @unchecked Sendable {
    let session: OpaquePointer  // SSL_SESSION *

    init(takingOwnershipOf session: OpaquePointer) { self.session = session }
    deinit { SSL_SESSION_free(session) }
}
