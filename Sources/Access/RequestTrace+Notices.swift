public import HTTP
public import HTTPTypes
internal import Payments

extension RequestTrace {
    /// The most notices of one request.
    private static let noticesMax = 8
    /// The most characters of a notice.
    private static let noticeCharactersMax = 300

    /// Adds a notice for the client that doesn't change the answer: a sentence for the reply's
    /// `Tollgate-Notice`, the access log and the journal. What isn't printable ASCII in it becomes `?`.
    public func note(notice text: String) {
        let shown = PeerText.shown(text, cutTo: Self.noticeCharactersMax)
        let ascii = String(
            String.UnicodeScalarView(shown.unicodeScalars.map { (0x20..<0x7F).contains($0.value) ? $0 : "?" }))
        note(ascii: ascii, countMax: Self.noticesMax)
    }

    /// Notes what was noticed of a request's token.
    public func note(notices texts: [String]) {
        for text in texts { note(notice: text) }
    }

    /// An answer whose replies carry the notices, each in a field of its own.
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
    /// `Tollgate-Notice`: what a reply says beside its content.
    public static let tollgateNotice: HTTPField.Name = {
        guard let name = HTTPField.Name("Tollgate-Notice") else { preconditionFailure("a token of RFC 9110") }
        return name
    }()
}
