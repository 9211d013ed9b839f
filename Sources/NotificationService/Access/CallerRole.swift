/// A caller's role towards the server (W-11).
package enum CallerRole: String, Sendable, CaseIterable, Hashable {
    /// An app: its center, its delegate and its attachments.
    case app
    /// A device: what a person sees and does.
    case device
    /// A provider: it pushes to the devices of its app.
    case provider
    /// An extension of an app: it serves questions of its app on all devices.
    case `extension`
    /// A program that watches the server's figures.
    case metrics
    /// The administrator of the server, who may call every rpc.
    case admin
}
