/// The connections of one event loop, found by what the loop's poller names them by.
///
/// A token is never used twice: its lower half is a place that may be taken again, its upper half a number that is not.
struct ConnectionTable {
    private var places: [Connection?] = []
    private var freePlaces: [Int] = []
    private var lastNumber: UInt32 = 0
    /// How many connections there are.
    private(set) var count = 0

    /// Places, taken or free; ``subscript(place:)`` takes one of them.
    var placeCount: Int { places.count }

    /// Takes a connection in, and names it.
    mutating func insert(_ connection: Connection) -> UInt64 {
        let place: Int
        if let free = freePlaces.popLast() {
            place = free
            places[place] = connection
        } else {
            place = places.count
            places.append(connection)
        }
        // The top bit is left to the listeners.
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

    /// The connection of a token; nil when it has gone.
    subscript(token: UInt64) -> Connection? {
        let place = Self.place(token)
        guard place < places.count, let connection = places[place], connection.token == token else { return nil }
        return connection
    }

    /// The connection at a place; nil when it is free.
    subscript(place place: Int) -> Connection? { places[place] }

    private static func place(_ token: UInt64) -> Int { Int(token & 0xFFFF_FFFF) }
}
