/// The page for a person who opens the server's address, with or without a right.
enum Welcome {
    /// The page.
    ///
    /// - Parameter host: The host by which the server was asked, which is one of its own.
    /// - Returns: The text of the page.
    static func text(host: String) -> String {
        """
        This is Belfry, a notification center that programs call.

        Notify a person, as an app that you name:

            curl -H "Authorization: Bearer $TOKEN" -d "Tea is ready" http://\(host)/org.example.tea

        'belfry token create NAME --role app:org.example.tea'
        prints a token, on the server's machine.

        POST /APP                        a text to notify with; ntfy's clients can send it
        POST /belfry.v1.SERVICE/METHOD   each call, in JSON, by the Connect protocol
        GET  /livez, /readyz             whether the server runs, and whether it can work
        GET  /metrics                    figures, for a token that may read them

        'belfry protos' writes the description of the calls, and 'belfry --help' lists what else
        there is. The README and Documentation/openapi.json of the sources say more.

        """
    }
}
