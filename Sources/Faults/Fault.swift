#if FAULTS
internal import Glibc

/// A known fault, which is planted to show that a test catches it.
///
/// `BELFRY_FAULT` names the fault that a process has; `Tests/Faults/faults.tsv` names the tests
/// that it must make fail. Only the debug build has faults.
package enum Fault: String {
    // The core and the store, in the order of their names.

    /// What is due within a millisecond fires with what is due, as if it were its time.
    case earlyFire = "early-fire"

    // The feeds, the service, its transports and the programs, in the order of their names.

    private static let planted: Fault? = {
        guard let value = unsafe getenv("BELFRY_FAULT") else { return nil }
        let name = unsafe String(cString: value)
        guard let fault = Fault(rawValue: name) else {
            fatalError("BELFRY_FAULT: there is no fault \(name)")
        }
        return fault
    }()

    /// Whether this process has the fault.
    package var isPlanted: Bool { self == Self.planted }
}
#else
/// A fault of a build that has none: its name and what it would do are gone after inlining.
@dynamicMemberLookup
@frozen
@usableFromInline
package struct Fault {
    @inlinable
    init() {}

    /// The fault of this name.
    @inlinable
    @inline(__always)
    package static subscript(dynamicMember name: StaticString) -> Fault { Fault() }

    /// Always false.
    @inlinable
    @inline(__always)
    package var isPlanted: Bool { false }
}
#endif
