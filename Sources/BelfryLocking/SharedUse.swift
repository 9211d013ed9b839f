#if SHOWS_SHARED_USE
package import Synchronization
#endif

/// The order of the uses of a shared object before its change in place, which the thread sanitizer
/// can see.
///
/// The counts of references make this order. But they are in the Swift runtime, which is not
/// instrumented (Swift 6.3, Linux): the sanitizer then reports that a thread changes an object
/// which is its alone now, while another had read it before. In the debug build an atomic number
/// shows it the order; the number is not used.
package enum SharedUse {
    #if SHOWS_SHARED_USE
    @usableFromInline static let order = Atomic(0)
    #endif

    /// Notes that this thread lets go of the objects that it has used.
    @inlinable
    package static func end() {
        #if SHOWS_SHARED_USE
        order.wrappingAdd(0, ordering: .acquiringAndReleasing)
        #endif
    }

    /// Whether nobody else refers to an object, so that it may be changed in place.
    @inlinable
    package static func isOver<Object: AnyObject>(of object: inout Object) -> Bool {
        guard isKnownUniquelyReferenced(&object) else { return false }
        begin()
        return true
    }

    /// Whether there is an object to which nobody else refers.
    @inlinable
    package static func isOver<Object: AnyObject>(of object: inout Object?) -> Bool {
        guard isKnownUniquelyReferenced(&object) else { return false }
        begin()
        return true
    }

    @inlinable
    static func begin() {
        #if SHOWS_SHARED_USE
        _ = order.load(ordering: .acquiring)
        #endif
    }
}
