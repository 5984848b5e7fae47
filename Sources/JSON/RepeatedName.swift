extension Tape {
    /// The maximum number of members whose names are compared pairwise. The names of larger objects are hashed.
    private static let pairwiseMax = 12

    /// The index of the first name in a closed object that repeats an earlier name, compared after unescaping; nil if
    /// there is none.
    ///
    /// Takes time proportional to the object's size for any names: many names, or escaped ones, are hashed with
    /// `Hasher`, a SipHash with a key per process, so no peer can cause collisions.
    func repeatedName(in object: Int, of text: UnsafeRawBufferPointer) -> Int? {
        let count = self[object].count
        guard count > 1 else { return nil }
        guard count <= Self.pairwiseMax else { return repeatedNameByHash(in: object, of: text) }

        let end = Int(self[object].next)
        var name = object + 1
        while name < end {
            if self[name].isEscaped { return repeatedNameByHash(in: object, of: text) }
            let length = self[name].end - self[name].start
            var earlier = object + 1
            while earlier < name {
                if self[earlier].end - self[earlier].start == length,
                    content(earlier, of: text).hasSameBytes(as: content(name, of: text))
                {
                    return name
                }
                earlier = Int(self[earlier + 1].next)
            }
            name = Int(self[name + 1].next)
        }
        return nil
    }

    /// Finds the first repeated name with an open-addressing hash table that is at most half full.
    private func repeatedNameByHash(in object: Int, of text: UnsafeRawBufferPointer) -> Int? {
        // A slot contains the upper half of a hash and the index of its name; no name has index 0.
        var slots = [UInt64](repeating: 0, count: 2 << (Int.bitWidth - self[object].count.leadingZeroBitCount))
        let mask = slots.count - 1
        let end = Int(self[object].next)
        var name = object + 1
        while name < end {
            let hash = UInt64(truncatingIfNeeded: hash(ofName: name, of: text))
            var slot = Int(truncatingIfNeeded: hash) & mask
            while slots[slot] != 0 {
                let earlier = Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF)
                if slots[slot] >> 32 == hash >> 32, haveSameName(earlier, name, of: text) { return name }
                slot = (slot + 1) & mask
            }
            slots[slot] = (hash & ~0xFFFF_FFFF) | UInt64(name)
            name = Int(self[name + 1].next)
        }
        return nil
    }

    private func hash(ofName name: Int, of text: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        let raw = content(name, of: text)
        if self[name].isEscaped {
            WipedBytes(unescaping: raw).withBytes { hasher.combine(bytes: $0) }
        } else {
            hasher.combine(bytes: raw)
        }
        return hasher.finalize()
    }

    private func haveSameName(_ one: Int, _ other: Int, of text: UnsafeRawBufferPointer) -> Bool {
        let (raw, otherRaw) = (content(one, of: text), content(other, of: text))
        switch (self[one].isEscaped, self[other].isEscaped) {
        case (false, false): return raw.hasSameBytes(as: otherRaw)
        case (true, false): return raw.unescapesTo(otherRaw)
        case (false, true): return otherRaw.unescapesTo(raw)
        case (true, true):
            return WipedBytes(unescaping: raw).withBytes { otherRaw.unescapesTo($0) }
        }
    }
}
