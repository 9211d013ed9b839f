internal import GRPCCore
internal import GRPCNIOTransportHTTP2Posix
internal import GRPCProtobuf
internal import NotificationProtocol
internal import SwiftProtobuf

typealias Client = GRPCClient<HTTP2ClientTransport.Posix>

/// A call of any method that takes and gives certain messages.
typealias Call = @Sendable (Client, Command) async throws -> Void

/// A call by the name of its request.
///
/// A new rpc is one line more.
let calls = Dictionary(uniqueKeysWithValues: [
    call(Belfry_V1_AddRequest.self, Belfry_V1_AddResponse.self),
    call(Belfry_V1_AddBatchRequest.self, Belfry_V1_AddBatchResponse.self),
    call(Belfry_V1_AdvanceClockRequest.self, Belfry_V1_AdvanceClockResponse.self),
    call(
        Belfry_V1_AnswerAuthorizationPromptRequest.self,
        Belfry_V1_AnswerAuthorizationPromptResponse.self
    ),
    call(Belfry_V1_BackupRequest.self, Belfry_V1_BackupResponse.self),
    call(Belfry_V1_CancelPushRequest.self, Belfry_V1_CancelPushResponse.self),
    call(Belfry_V1_CloseNotificationRequest.self, Belfry_V1_CloseNotificationResponse.self),
    call(
        Belfry_V1_CompleteBackgroundPushRequest.self,
        Belfry_V1_CompleteBackgroundPushResponse.self
    ),
    call(
        Belfry_V1_CompleteContentExtensionRequest.self,
        Belfry_V1_CompleteContentExtensionResponse.self
    ),
    call(Belfry_V1_CompleteResponseRequest.self, Belfry_V1_CompleteResponseResponse.self),
    call(
        Belfry_V1_CompleteServiceExtensionRequest.self,
        Belfry_V1_CompleteServiceExtensionResponse.self
    ),
    call(Belfry_V1_CompleteWillPresentRequest.self, Belfry_V1_CompleteWillPresentResponse.self),
    call(Belfry_V1_CreateRichPushRequest.self, Belfry_V1_CreateRichPushResponse.self),
    call(Belfry_V1_DismissRequest.self, Belfry_V1_DismissResponse.self),
    call(
        Belfry_V1_DismissContentExtensionRequest.self,
        Belfry_V1_DismissContentExtensionResponse.self
    ),
    call(Belfry_V1_DownloadAttachmentRequest.self, Belfry_V1_DownloadAttachmentResponse.self),
    call(Belfry_V1_DownloadRichPayloadRequest.self, Belfry_V1_DownloadRichPayloadResponse.self),
    call(Belfry_V1_GetAttachmentRequest.self, Belfry_V1_GetAttachmentResponse.self),
    call(Belfry_V1_GetClockRequest.self, Belfry_V1_GetClockResponse.self),
    call(Belfry_V1_GetDeviceStateRequest.self, Belfry_V1_GetDeviceStateResponse.self),
    call(
        Belfry_V1_GetNotificationActionsRequest.self,
        Belfry_V1_GetNotificationActionsResponse.self
    ),
    call(
        Belfry_V1_GetNotificationCategoriesRequest.self,
        Belfry_V1_GetNotificationCategoriesResponse.self
    ),
    call(
        Belfry_V1_GetNotificationSettingsRequest.self,
        Belfry_V1_GetNotificationSettingsResponse.self
    ),
    call(Belfry_V1_GetPushStatusRequest.self, Belfry_V1_GetPushStatusResponse.self),
    call(Belfry_V1_GetRichPushRequest.self, Belfry_V1_GetRichPushResponse.self),
    call(Belfry_V1_GetServerInfoRequest.self, Belfry_V1_GetServerInfoResponse.self),
    call(Belfry_V1_GetStatsRequest.self, Belfry_V1_GetStatsResponse.self),
    call(Belfry_V1_ListAppsRequest.self, Belfry_V1_ListAppsResponse.self),
    call(Belfry_V1_ListAttachmentsRequest.self, Belfry_V1_ListAttachmentsResponse.self),
    call(Belfry_V1_ListDeliveredRequest.self, Belfry_V1_ListDeliveredResponse.self),
    call(
        Belfry_V1_ListNotificationCenterRequest.self,
        Belfry_V1_ListNotificationCenterResponse.self
    ),
    call(Belfry_V1_ListPendingRequest.self, Belfry_V1_ListPendingResponse.self),
    call(Belfry_V1_ListRegistrationsRequest.self, Belfry_V1_ListRegistrationsResponse.self),
    call(Belfry_V1_ListRichPushesRequest.self, Belfry_V1_ListRichPushesResponse.self),
    call(Belfry_V1_ListSnoozedRequest.self, Belfry_V1_ListSnoozedResponse.self),
    call(Belfry_V1_ListHistoryRequest.self, Belfry_V1_ListHistoryResponse.self),
    call(Belfry_V1_ListCallersRequest.self, Belfry_V1_ListCallersResponse.self),
    call(Belfry_V1_ListDamagedRowsRequest.self, Belfry_V1_ListDamagedRowsResponse.self),
    call(Belfry_V1_CreateTokenRequest.self, Belfry_V1_CreateTokenResponse.self),
    call(Belfry_V1_ListTokensRequest.self, Belfry_V1_ListTokensResponse.self),
    call(Belfry_V1_RevokeTokenRequest.self, Belfry_V1_RevokeTokenResponse.self),
    call(
        Belfry_V1_CreateWebPushSubscriptionRequest.self,
        Belfry_V1_CreateWebPushSubscriptionResponse.self
    ),
    call(
        Belfry_V1_ListWebPushSubscriptionsRequest.self,
        Belfry_V1_ListWebPushSubscriptionsResponse.self
    ),
    call(
        Belfry_V1_DeleteWebPushSubscriptionRequest.self,
        Belfry_V1_DeleteWebPushSubscriptionResponse.self
    ),
    call(Belfry_V1_ListSoundsRequest.self, Belfry_V1_ListSoundsResponse.self),
    call(Belfry_V1_ListStringTablesRequest.self, Belfry_V1_ListStringTablesResponse.self),
    call(Belfry_V1_ListUpcomingRequest.self, Belfry_V1_ListUpcomingResponse.self),
    call(Belfry_V1_ListTriggerDatesRequest.self, Belfry_V1_ListTriggerDatesResponse.self),
    call(Belfry_V1_MarkRichPushReadRequest.self, Belfry_V1_MarkRichPushReadResponse.self),
    call(Belfry_V1_OpenNotificationRequest.self, Belfry_V1_OpenNotificationResponse.self),
    call(Belfry_V1_OpenSettingsRequest.self, Belfry_V1_OpenSettingsResponse.self),
    call(Belfry_V1_PerformDefaultActionRequest.self, Belfry_V1_PerformDefaultActionResponse.self),
    call(Belfry_V1_PushRequest.self, Belfry_V1_PushResponse.self),
    call(Belfry_V1_PushToTagsRequest.self, Belfry_V1_PushToTagsResponse.self),
    call(Belfry_V1_PutAttachmentRequest.self, Belfry_V1_PutAttachmentResponse.self),
    call(Belfry_V1_RegisterAppRequest.self, Belfry_V1_RegisterAppResponse.self),
    call(
        Belfry_V1_RegisterForRemoteNotificationsRequest.self,
        Belfry_V1_RegisterForRemoteNotificationsResponse.self
    ),
    call(Belfry_V1_RemoveAllDeliveredRequest.self, Belfry_V1_RemoveAllDeliveredResponse.self),
    call(Belfry_V1_RemoveAllPendingRequest.self, Belfry_V1_RemoveAllPendingResponse.self),
    call(Belfry_V1_RemoveDeliveredRequest.self, Belfry_V1_RemoveDeliveredResponse.self),
    call(
        Belfry_V1_RemoveNotificationCategoriesRequest.self,
        Belfry_V1_RemoveNotificationCategoriesResponse.self
    ),
    call(Belfry_V1_RemovePendingRequest.self, Belfry_V1_RemovePendingResponse.self),
    call(Belfry_V1_ReportBeaconsRequest.self, Belfry_V1_ReportBeaconsResponse.self),
    call(Belfry_V1_ReportLocationRequest.self, Belfry_V1_ReportLocationResponse.self),
    call(Belfry_V1_RequestAuthorizationRequest.self, Belfry_V1_RequestAuthorizationResponse.self),
    call(Belfry_V1_RespondRequest.self, Belfry_V1_RespondResponse.self),
    call(Belfry_V1_RevokeDeviceTokenRequest.self, Belfry_V1_RevokeDeviceTokenResponse.self),
    call(Belfry_V1_ServeRequest.self, Belfry_V1_ServeResponse.self),
    call(Belfry_V1_SetBadgeCountRequest.self, Belfry_V1_SetBadgeCountResponse.self),
    call(Belfry_V1_SetClockRequest.self, Belfry_V1_SetClockResponse.self),
    call(
        Belfry_V1_SetNotificationActionsRequest.self,
        Belfry_V1_SetNotificationActionsResponse.self
    ),
    call(
        Belfry_V1_SetNotificationCategoriesRequest.self,
        Belfry_V1_SetNotificationCategoriesResponse.self
    ),
    call(Belfry_V1_SetSoundRequest.self, Belfry_V1_SetSoundResponse.self),
    call(Belfry_V1_SetStringTableRequest.self, Belfry_V1_SetStringTableResponse.self),
    call(Belfry_V1_SetTagsRequest.self, Belfry_V1_SetTagsResponse.self),
    call(Belfry_V1_SkipNextRequest.self, Belfry_V1_SkipNextResponse.self),
    call(Belfry_V1_SnoozeRequest.self, Belfry_V1_SnoozeResponse.self),
    call(Belfry_V1_SubscribeRequest.self, Belfry_V1_SubscribeResponse.self),
    call(Belfry_V1_SuspendRequest.self, Belfry_V1_SuspendResponse.self),
    call(Belfry_V1_UnregisterAppRequest.self, Belfry_V1_UnregisterAppResponse.self),
    call(
        Belfry_V1_UnregisterForRemoteNotificationsRequest.self,
        Belfry_V1_UnregisterForRemoteNotificationsResponse.self
    ),
    call(Belfry_V1_UpdateAppStateRequest.self, Belfry_V1_UpdateAppStateResponse.self),
    call(Belfry_V1_UpdateContentViewRequest.self, Belfry_V1_UpdateContentViewResponse.self),
    call(Belfry_V1_UpdateDeviceStateRequest.self, Belfry_V1_UpdateDeviceStateResponse.self),
    call(Belfry_V1_UpdateSettingsRequest.self, Belfry_V1_UpdateSettingsResponse.self),
    call(
        Belfry_V1_UpsertNotificationCategoriesRequest.self,
        Belfry_V1_UpsertNotificationCategoriesResponse.self
    ),
    call(Belfry_V1_WatchDeviceRequest.self, Belfry_V1_WatchDeviceResponse.self),
    call(Belfry_V1_WithdrawNotificationsRequest.self, Belfry_V1_WithdrawNotificationsResponse.self),
])

/// The entry of one request: its name, and how it is sent.
private func call<Request: SwiftProtobuf.Message, Response: SwiftProtobuf.Message>(
    _: Request.Type,
    _: Response.Type
) -> (String, Call) {
    let send: Call = { client, command in
        let request = ClientRequest(message: try Request(jsonString: command.request ?? ""))
        var options = CallOptions.defaults
        options.timeout = .seconds(command.timeout ?? 0)
        if command.streams == true {
            try await client.serverStreaming(
                request: request,
                descriptor: command.descriptor,
                serializer: ProtobufSerializer<Request>(),
                deserializer: ProtobufDeserializer<Response>(),
                options: options
            ) { response in
                for try await message in response.messages {
                    await reports.write(Report(id: command.id, message: try message.jsonString()))
                }
            }
        } else {
            let message = try await client.unary(
                request: request,
                descriptor: command.descriptor,
                serializer: ProtobufSerializer<Request>(),
                deserializer: ProtobufDeserializer<Response>(),
                options: options
            ) { try $0.message }
            await reports.write(Report(id: command.id, message: try message.jsonString()))
        }
    }
    return (Request.protoMessageName, send)
}
