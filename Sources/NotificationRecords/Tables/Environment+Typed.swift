public import BelfryLMDB

extension Environment {
    /// Reads one committed state of the store.
    ///
    /// `body` gets the transaction, which lives until `body` returns.
    ///
    /// - Throws: What the store reports, or what `body` threw.
    @inlinable
    package func reading<R>(
        _ body: (borrowing ReadTransaction) throws(StoreFailure) -> R
    ) throws(StoreFailure) -> R {
        // A read throws LMDB's errors alone, so an error of `body` leaves it as a value.
        let result = try StoreFailure.ofLMDB { () throws(LMDBError) in
            try read { transaction in
                Result { () throws(StoreFailure) in try body(transaction) }
            }
        }
        return try result.get()
    }

    /// Writes in one transaction, which is durable when this returns.
    ///
    /// `body` gets the transaction; where `body` throws, nothing is written.
    ///
    /// - Throws: What the store reports, or what `body` threw.
    @inlinable
    package func writing<R>(
        _ body: (borrowing WriteTransaction) throws(StoreFailure) -> R
    ) throws(StoreFailure) -> R {
        let transaction = try StoreFailure.ofLMDB(try beginWriting())
        let result = try body(transaction)
        try StoreFailure.ofLMDB(try transaction.commit())
        return result
    }
}
