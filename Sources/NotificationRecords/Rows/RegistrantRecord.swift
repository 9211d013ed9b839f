/// Totals of a caller's registrations and stored bytes, as the `registrants` table keeps them.
package struct RegistrantRecord: SealedRow, Equatable {
    /// The apps, each counted for each of its devices.
    package var apps = 0
    /// Bytes of the files that the caller stored, of whatever apps.
    package var fileBytes = 0
    /// Bytes that the apps take in the store, as each center has counted them.
    package var storeBytes = 0
    /// Bytes that the kept idempotency keys of the caller take, with the replies.
    package var keyBytes = 0
    /// How many pushes that providers named are kept of the caller's apps.
    package var receiptCount = 0
    /// How many tokens of the caller's apps are kept that have ended.
    package var endedTokenCount = 0
    /// The caller's idempotency keys of this time or before are refused, in milliseconds since
    /// 1970: some of them were forgotten.
    package var keyFloorMilliseconds: Int64 = 0

    package init() {}

    /// Whether every count is 0; the floor is no count.
    package var isEmpty: Bool {
        apps == 0 && fileBytes == 0 && storeBytes == 0 && keyBytes == 0 && receiptCount == 0
            && endedTokenCount == 0
    }

    package func write(to writer: inout ByteWriter) {
        writer.put(apps)
        writer.put(fileBytes)
        writer.put(storeBytes)
        writer.put(keyBytes)
        writer.put(receiptCount)
        writer.put(endedTokenCount)
        writer.put(keyFloorMilliseconds)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        apps = try reader.number()
        fileBytes = try reader.number()
        storeBytes = try reader.number()
        keyBytes = try reader.number()
        receiptCount = try reader.number()
        endedTokenCount = try reader.number()
        keyFloorMilliseconds = try reader.number()
    }
}
