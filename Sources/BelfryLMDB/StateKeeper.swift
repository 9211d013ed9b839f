/// Keeps an object in memory beside the states of an environment, for what is not in its tables.
///
/// A read transaction has the object of the state that it reads, as ``Transaction/companion``. Used
/// by any thread.
@usableFromInline
package protocol StateKeeper: AnyObject, Sendable {
    /// The object that goes with a committed state; nil where none does any more, as the state is
    /// old: the reader then begins again with the newest state.
    func companion(ofState state: Int) -> AnyObject?
}
