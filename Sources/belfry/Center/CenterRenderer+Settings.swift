internal import NotificationProtocol
internal import SwiftProtobuf

// The settings of an app, and the Focus.

extension CenterRenderer {
    /// Makes the lines of settings, of which those around the cursor show.
    func window(
        _ settings: CenterSettings,
        in screen: CenterScreen,
        height: Int,
        columns: Int
    ) -> Window {
        let rows = settings.rows(of: screen, dates: dates)
        let title =
            switch settings.subject {
            case .app(let app): "Settings of " + screen.name(of: .with { $0.appID = app })
            case .focus: "Focus"
            }
        let place = max(0, min(settings.place, rows.count - 1))
        let room = max(1, height - 1)
        let start = max(0, min(place - room / 2, rows.count - room))
        // Leave the values their room, and cut the names where both do not fit.
        let values = rows.map(\.value.columns).max() ?? 0
        let names = rows.filter { $0.change != nil }.map(\.label.printable.columns).max() ?? 0
        let width = max(1, min(names, columns - 5 - values))
        let lines = rows.enumerated().dropFirst(start).prefix(room).map { place, row in
            let isSelected = place == settings.place
            var line = ScreenLine(isSelected ? "❯  " : "   ")
            guard row.change != nil else {
                line.append(row.label, .dim)
                return line
            }
            let label = row.label.printable.fitted(to: width)
            line.append(label, isSelected ? .bold : nil)
            line.append(String(repeating: " ", count: max(0, width - label.columns) + 2))
            line.append(row.value, row.value == "off" || row.value == "○" ? .dim : .green)
            return line
        }
        return Window(
            lines: Array(([ScreenLine("   " + title, .bold)] + lines).prefix(height)),
            above: start,
            below: rows.count - start - lines.count
        )
    }
}
