internal import Access
internal import HTTP
internal import JSON
internal import Payments
internal import Values
internal import Vault

/// A request merged with the fields of the session and the token that it names. The request takes precedence over the
/// session, and the session over the token.
///
/// - Source: Mastercard Gateway, "Using Multiple Sources of Payment Details".
struct MergedRequest {
    /// The merged fields.
    let fields: JSONNode
    /// The identifier of the session.
    let session: String?
    /// The identifier of the token, from the request or its session.
    let token: String?
}

extension JSONNode {
    /// Whether a request takes fields from a session or token.
    var namesStoredFields: Bool { sessionID != nil || tokenID != nil }

    /// Refuses a malformed session identifier.
    func checkSessionID() throws(ErrorReply) {
        if let id = sessionID { try ErrorReply.checkIdentifier(id, "session.id") }
    }

    fileprivate var sessionID: String? { member("session")?.member("id")?.fieldText }
    fileprivate var sessionVersion: String? { member("session")?.member("version")?.fieldText }
    fileprivate var tokenID: String? { member("sourceOfFunds")?.member("token")?.fieldText }

    /// A request merged with stored fields, over which it takes precedence. The card has a single account, whatever
    /// the sources of its details.
    func merged(over session: StoredFields?, over token: StoredFields?) -> JSONNode {
        var merged = self
        for layer in [session, token] {
            guard let layer else { continue }
            merged = StoredFields(merged, over: layer.root, keeping: StoredFields.keepsOneAccount(merged)).root
        }
        return merged
    }
}

extension MerchantAPI {
    /// Reads the fields of the session and the token that a request names.
    func gather(_ sent: JSONNode, for merchant: Merchant) async throws(ErrorReply) -> MergedRequest {
        do throws(SessionRefusal) {
            let session: Session? =
                if let id = sent.sessionID {
                    try await sessions.source(id, of: merchant.id, expecting: sent.sessionVersion, at: now())
                } else { nil }
            let tokenID = sent.tokenID ?? session?.fields.root.tokenID
            let token: CardToken? =
                if let tokenID { try await tokens.retrieve(tokenID, of: merchant.id) } else { nil }
            return MergedRequest(
                fields: sent.merged(over: session?.fields, over: token?.fields), session: session?.id,
                token: token?.id)
        } catch {
            throw ErrorReply(error)
        }
    }

    /// Performs an operation on a transaction with fields from a session or token.
    func perform(
        _ request: TransactionRequest, _ sensitive: SensitiveData, version: APIVersion, _ trace: RequestTrace
    ) async -> Response {
        // A repeated request gets its first reply, even if its session no longer exists.
        if let answered = await answered(request, sensitive, version: version, trace) { return answered }
        let merged: MergedRequest
        let command: Command
        do throws(ErrorReply) {
            merged = try await gather(request.sent, for: request.merchant)
            trace.stages.end(.recall)
            command = try request.command(merged.fields)
            trace.stages.end(.decode)
        } catch {
            // A concurrent retry of the request may have been answered in the meantime, and have consumed the
            // session's fields.
            return await answered(request, sensitive, version: version, trace) ?? error.response
        }
        do throws(Refusal) {
            let transaction = try await gateway.perform(command, at: now(), timing: trace.stages)
            await markUsed(merged, for: request.merchant)
            trace.stages.end(.commit)
            return response(to: try gateway.shown(transaction, sensitive), version: version, trace)
        } catch {
            return response(to: error, of: command, Subject(command, of: merged.fields), trace)
        }
    }

    /// The earlier reply to a request, or the refusal if the parameters differ; nil if the request is new.
    private func answered(
        _ request: TransactionRequest, _ sensitive: SensitiveData, version: APIVersion, _ trace: RequestTrace
    ) async -> Response? {
        do throws(Refusal) {
            let answered = try await gateway.answer(
                to: request.parameters, as: request.transaction, of: request.subject.key, timing: trace.stages)
            guard let answered else { return nil }
            return response(to: try gateway.shown(answered, sensitive), version: version, trace)
        } catch {
            return ErrorReply(error, of: request.subject).response
        }
    }

    /// Records that an operation has used a session and a token. The operation is already committed: if the store
    /// fails now, the record is made at the next use, or becomes unnecessary at the session's end.
    private func markUsed(_ merged: MergedRequest, for merchant: Merchant) async {
        if let session = merged.session { try? await sessions.markUsed(session, of: merchant.id, at: now()) }
        if let token = merged.token { try? await tokens.markUsed(token, of: merchant.id, at: now()) }
    }
}
