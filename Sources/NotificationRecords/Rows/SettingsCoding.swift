package import NotificationCore

/// A center's settings inside a center's record and inside an event.
extension NotificationSettings: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(authorizationStatus.rawValue)
        for setting in [
            sound, badge, alert, notificationCenter, lockScreen, carPlay, criticalAlert,
            announcement, timeSensitive, scheduledDelivery, directMessages,
        ] {
            writer.put(setting.rawValue)
        }
        writer.put(alertStyle.rawValue)
        writer.put(showPreviews.rawValue)
        writer.put(providesAppNotificationSettings)
        writer.put(requestedOptions.rawValue)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init()
        authorizationStatus = try reader.choice()
        sound = try reader.choice()
        badge = try reader.choice()
        alert = try reader.choice()
        notificationCenter = try reader.choice()
        lockScreen = try reader.choice()
        carPlay = try reader.choice()
        criticalAlert = try reader.choice()
        announcement = try reader.choice()
        timeSensitive = try reader.choice()
        scheduledDelivery = try reader.choice()
        directMessages = try reader.choice()
        alertStyle = try reader.choice()
        showPreviews = try reader.choice()
        providesAppNotificationSettings = try reader.bool()
        requestedOptions = AuthorizationOptions(rawValue: try reader.number())
    }
}
