internal import Glibc
internal import Testing

@testable internal import NotificationStore

@Suite("Memory that was freed")
struct FreedMemoryTests {
    @Test("It goes back to the system, though something behind it is still used")
    func giveBack() throws {
        var memory = FreedMemory()
        // Pages beside the heaps are resident, too, as in a process that has done much.
        let other = 32 << 20
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        let pages = unsafe mmap(nil, other, PROT_READ | PROT_WRITE, flags, -1, 0)
        unsafe pages?.initializeMemory(as: UInt8.self, repeating: 1, count: other)
        defer { unsafe munmap(pages, other) }
        let before = FreedMemory.residentByteCount
        let (count, size) = (32_768, 4_000)
        unsafe withBlocks(count, ofBytes: size) { blocks in
            for index in 0..<count - 1 { unsafe free(blocks[index]) }
            #expect(FreedMemory.residentByteCount - before > count * size / 2)
            let isSearched = memory.giveBack()
            #expect(isSearched)
            #expect(FreedMemory.residentByteCount - before < count * size / 4)
            // One more search may follow a good one; then the memory in use is left alone.
            memory.giveBack()
            let isSearchedAgain = memory.giveBack()
            #expect(!isSearchedAgain)
            unsafe free(blocks[count - 1])
        }
    }

    @Test("What is freed after a search goes back, too")
    func giveBackAgain() throws {
        var memory = FreedMemory()
        let before = FreedMemory.residentByteCount
        let (count, size) = (65_536, 4_000)
        unsafe withBlocks(count, ofBytes: size) { blocks in
            for index in 0..<count / 2 { unsafe free(blocks[index]) }
            memory.giveBack()
            for index in count / 2..<count - 1 { unsafe free(blocks[index]) }
            let isSearched = memory.giveBack()
            #expect(isSearched)
            #expect(FreedMemory.residentByteCount - before < count * size / 4)
            unsafe free(blocks[count - 1])
        }
    }

    /// Lends so many blocks of the heap, which were written; `body` frees them.
    private func withBlocks(
        _ count: Int,
        ofBytes size: Int,
        _ body: (UnsafeMutableBufferPointer<UnsafeMutableRawPointer?>) -> Void
    ) {
        unsafe withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: count) {
            blocks in
            for index in 0..<count {
                let block = unsafe malloc(size)
                unsafe block?.initializeMemory(as: UInt8.self, repeating: 1, count: size)
                unsafe blocks.initializeElement(at: index, to: block)
            }
            unsafe body(blocks)
        }
    }
}
