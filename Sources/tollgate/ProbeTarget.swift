import Glibc

/// Something that is asked once, over HTTP/1.1 without TLS.
struct ProbeTarget: CustomStringConvertible {
    /// What came back.
    struct Reply {
        let status: Int
        let content: [UInt8]
    }

    private static let replyBytesMax = 64 * 1024

    private let host: String
    private let port: String
    private let path: String

    /// Understands `http://host:port`; an IPv6 address stands in brackets.
    ///
    /// - Parameter path: what is asked for, unless the URL has a path.
    init(_ url: String, path: String) throws(Failure) {
        let failure = Failure("\(url): http://host:port is wanted")
        let scheme = "http://"
        guard url.hasPrefix(scheme), !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { throw failure }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        let given = rest[authority.endIndex...]
        self.path = given.isEmpty || given == "/" ? path : String(given)
        let end: Substring
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { throw failure }
            host = String(authority[authority.index(after: authority.startIndex)..<bracket])
            end = authority[authority.index(after: bracket)...]
        } else {
            let name = authority.prefix { $0 != ":" }
            host = String(name)
            end = authority[name.endIndex...]
        }
        port = end.isEmpty ? "80" : String(end.dropFirst())
        guard !host.isEmpty, end.isEmpty || end.hasPrefix(":"), UInt16(port) != nil else { throw failure }
    }

    var description: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// Sends a GET and returns the answer.
    func get(withinSeconds seconds: Double) throws(Failure) -> Reply {
        let deadline = SystemClock.monotonicNanoseconds() + UInt64(seconds * 1e9)
        let descriptor = try connected(deadline)
        defer { close(descriptor) }
        let name = host.contains(":") ? "[\(host)]" : host
        let request = Array("GET \(path) HTTP/1.1\r\nHost: \(name):\(port)\r\nConnection: close\r\n\r\n".utf8)
        var sent = 0
        while sent < request.count {
            let count = request[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
            }
            if count < 0, errno == EAGAIN {
                try wait(descriptor, for: POLLOUT, deadline)
            } else if count < 0, errno != EINTR {
                throw Failure("\(self): \(File.systemError())")
            }
            sent += max(0, count)
        }
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 8192)
        while received.count <= Self.replyBytesMax {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count < 0, errno == EAGAIN {
                try wait(descriptor, for: POLLIN, deadline)
            } else if count < 0, errno != EINTR {
                throw Failure("\(self): \(File.systemError())")
            }
            if count == 0 { return try reply(received) }
            received += chunk[..<max(0, count)]
        }
        throw Failure("\(self): answers more than \(Self.replyBytesMax) bytes")
    }

    private func reply(_ bytes: [UInt8]) throws(Failure) -> Reply {
        let line = String(decoding: bytes.prefix { $0 != 0x0D }, as: UTF8.self).split(separator: " ")
        let head = bytes.indices.first { bytes[$0...].starts(with: "\r\n\r\n".utf8) }
        guard let head, line.count >= 2, line[0].hasPrefix("HTTP/1."), let status = Int(line[1]) else {
            throw Failure("\(self): no whole answer in HTTP")
        }
        return Reply(status: status, content: Array(bytes[(head + 4)...]))
    }

    /// Connects to the first of the host's addresses that takes it.
    private func connected(_ deadline: UInt64) throws(Failure) -> CInt {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, port, &hints, &list)
        guard result == 0 else { throw Failure("\(self): \(String(cString: gai_strerror(result)))") }
        defer { freeaddrinfo(list) }
        var failure = Failure("\(self): no address")
        var next = list
        while let address = next?.pointee {
            next = address.ai_next
            do throws(Failure) { return try connected(address, deadline) } catch { failure = error }
        }
        throw failure
    }

    private func connected(_ address: addrinfo, _ deadline: UInt64) throws(Failure) -> CInt {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.ai_family, kind, 0)
        guard descriptor >= 0 else { throw Failure("\(self): \(File.systemError())") }
        do throws(Failure) {
            if connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 {
                guard errno == EINPROGRESS else { throw Failure("\(self): \(File.systemError())") }
                try wait(descriptor, for: POLLOUT, deadline)
                var code: CInt = 0
                var length = socklen_t(MemoryLayout<CInt>.size)
                getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
                guard code == 0 else { throw Failure("\(self): \(String(cString: strerror(code)))") }
            }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private func wait(_ descriptor: CInt, for events: CInt, _ deadline: UInt64) throws(Failure) {
        while true {
            let now = SystemClock.monotonicNanoseconds()
            var watched = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            // Rounded up: no wait of nothing over and over at the end.
            let milliseconds = now < deadline ? (deadline - now + 999_999) / 1_000_000 : 0
            let count = poll(&watched, 1, Int32(clamping: milliseconds))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure("\(self): no answer in time") }
            return
        }
    }
}
