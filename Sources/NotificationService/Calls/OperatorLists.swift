internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    /// Registers the lists of callers and of damaged rows.
    func registerOperatorLists(in router: inout Router) {
        listing("AdminService/ListCallers", in: &router) {
            (
                request: Belfry_V1_ListCallersRequest,
                reply: Reply<Belfry_V1_ListCallersResponse>
            ) throws(Refusal) in
            let tokens = PageTokens(rpc: "ListCallers", store.pageTokenKey)
            let query = AppPageQuery(
                app: "",
                pageSize: try RequestLimits.pageSize(request.pageSize),
                token: try tokens.position(request.pageToken)
            )
            let limits = store.limits
            store.listCallers(query, for: reply.caller) { result in
                reply.finish(
                    result.map { page in
                        .with { response in
                            response.callers = page.entries.map(Belfry_V1_CallerUsage.init)
                            response.nextPageToken = tokens.text(page.nextToken)
                            response.appLimit = UInt64(limits.appsPerCaller)
                            response.fileByteLimit = UInt64(limits.fileBytesPerCaller)
                            response.storeByteLimit = UInt64(limits.storeBytesPerCaller)
                        }
                    }
                )
            }
        }
        listing("AdminService/ListDamagedRows", in: &router) {
            (
                _: Belfry_V1_ListDamagedRowsRequest,
                reply: Reply<Belfry_V1_ListDamagedRowsResponse>
            ) in
            let rows = store.damagedRows.map { row in
                Belfry_V1_DamagedRow.with {
                    $0.table = row.table
                    $0.key = row.key
                    $0.problem = row.problem
                }
            }
            reply.finish(.success(.with { $0.rows = rows }))
        }
    }
}

extension Belfry_V1_CallerUsage {
    fileprivate init(_ caller: ListedCaller) {
        self.init()
        name = caller.name
        appCount = UInt64(caller.apps)
        fileBytes = UInt64(caller.fileBytes)
        storeBytes = UInt64(caller.storeBytes)
    }
}
