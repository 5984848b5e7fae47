internal import Access
internal import HTTP
internal import JSON
internal import Payments
internal import Values
internal import Vault

/// A request laid over what the session and the token that it names hold for it: request over session over token.
///
/// - Source: Mastercard Gateway, "Using Multiple Sources of Payment Details".
struct MergedRequest {
    /// The fields of all three.
    let fields: JSONNode
    /// The session that was named.
    let session: String?
    /// The token that was named, by the request or by its session.
    let token: String?
}

extension JSONNode {
    /// Whether a request takes fields from a session or token.
    var namesStoredFields: Bool { sessionID != nil || tokenID != nil }

    /// Refuses the identifier of a session if it could not be one.
    func checkSessionID() throws(ErrorReply) {
        if let id = sessionID { try ErrorReply.checkIdentifier(id, "session.id") }
    }

    fileprivate var sessionID: String? { member("session")?.member("id")?.fieldText }
    fileprivate var sessionVersion: String? { member("session")?.member("version")?.fieldText }
    fileprivate var tokenID: String? { member("sourceOfFunds")?.member("token")?.fieldText }

    /// A request laid over fields that it takes precedence of.
    ///
    /// Its card comes from one account, whatever the sources of its details.
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
    /// Gathers what a request takes from the session and the token that it names.
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

    /// Carries out an operation on a transaction that takes fields from a session or token.
    func perform(
        _ request: TransactionRequest, _ sensitive: SensitiveData, version: APIVersion, _ trace: RequestTrace
    ) async -> Response {
        // A repeated request gets its first answer, even if its session is gone by now.
        if let answered = await answered(request, sensitive, version: version, trace) { return answered }
        let merged: MergedRequest
        let command: Command
        do throws(ErrorReply) {
            merged = try await gather(request.sent, for: request.merchant)
            trace.stages.end(.recall)
            command = try request.command(merged.fields)
            trace.stages.end(.decode)
        } catch {
            // A twin of the request may have been answered meanwhile, and have used up what the session held.
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

    /// The earlier answer to a request, or its refusal for differing from it; nil if the request is new.
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

    /// Notes that an operation has used a session and a token. The operation stands, so if the store can't be written now
    /// this is made up for by the next use, or by the session's end.
    private func markUsed(_ merged: MergedRequest, for merchant: Merchant) async {
        if let session = merged.session { try? await sessions.markUsed(session, of: merchant.id, at: now()) }
        if let token = merged.token { try? await tokens.markUsed(token, of: merchant.id, at: now()) }
    }
}
