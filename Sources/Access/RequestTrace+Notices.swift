public import HTTP
public import HTTPTypes
internal import Payments

extension RequestTrace {
    /// The maximum number of notices of one request.
    private static let noticesMax = 8
    /// The maximum length of a notice, in characters.
    private static let noticeCharactersMax = 300

    /// Adds a notice for the client that doesn't change the answer: one sentence for the reply's `Tollgate-Notice`, the
    /// access log and the journal. Characters that are not printable ASCII become `?`.
    public func note(notice text: String) {
        let shown = PeerText.shown(text, cutTo: Self.noticeCharactersMax)
        let ascii = String(
            String.UnicodeScalarView(shown.unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? $0 : "?" }))
        note(ascii: ascii, countMax: Self.noticesMax)
    }

    /// Adds notices about a request's token.
    public func note(notices texts: [String]) {
        for text in texts { note(notice: text) }
    }

    /// Adds the notices to an answer's replies, each in a header field of its own.
    public func noticed(_ answer: Answer) -> Answer { answer.mapResponse { self.noticed($0) } }

    private func noticed(_ response: Response) -> Response {
        let notices = facts.notices
        guard !notices.isEmpty else { return response }
        var response = response
        for notice in notices { response.head.headerFields.append(HTTPField(name: .tollgateNotice, value: notice)) }
        return response
    }
}

extension HTTPField.Name {
    /// `Tollgate-Notice`: a notice about the request, in addition to the reply's content.
    public static let tollgateNotice: HTTPField.Name = {
        guard let name = HTTPField.Name("Tollgate-Notice") else { preconditionFailure("a token of RFC 9110") }
        return name
    }()
}
