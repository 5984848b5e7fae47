/// The connections of one event loop, by the tokens that identify them to the loop's poller.
///
/// A token is never reused: its lower half is the index of a reusable place, its upper half a number that is not
/// reused.
struct ConnectionTable {
    private var places: [Connection?] = []
    private var freePlaces: [Int] = []
    private var lastNumber: UInt32 = 0
    /// The number of connections.
    private(set) var count = 0

    /// The number of places, occupied or free, for use with ``subscript(place:)``.
    var placeCount: Int { places.count }

    /// Adds a connection and returns its token.
    mutating func insert(_ connection: Connection) -> UInt64 {
        let place: Int
        if let free = freePlaces.popLast() {
            place = free
            places[place] = connection
        } else {
            place = places.count
            places.append(connection)
        }
        // The top bit is reserved for listeners.
        lastNumber = (lastNumber &+ 1) & 0x7FFF_FFFF
        count += 1
        return UInt64(lastNumber) << 32 | UInt64(place)
    }

    /// Removes a connection.
    mutating func remove(_ token: UInt64) {
        guard self[token] != nil else { return }
        places[Self.place(token)] = nil
        freePlaces.append(Self.place(token))
        count -= 1
    }

    /// The connection with a token; nil if it was removed.
    subscript(token: UInt64) -> Connection? {
        let place = Self.place(token)
        guard place < places.count, let connection = places[place], connection.token == token else { return nil }
        return connection
    }

    /// The connection at a place; nil if the place is free.
    subscript(place place: Int) -> Connection? { places[place] }

    private static func place(_ token: UInt64) -> Int { Int(token & 0xFFFF_FFFF) }
}
