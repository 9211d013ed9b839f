extension Rpc {
    /// The rpcs of the contract that this version does not answer.
    static let later: Set<String> = []
}
