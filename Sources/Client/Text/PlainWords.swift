// Sentences of the service in the words of the command line; pure.

/// Turns the requests that a sentence of the service names into commands.
///
/// The service speaks to programs, which send a `PATCH`; a person types `lull edit`.
package enum PlainWords {
    /// The words of the service, each with the words of the terminal; longer ones come first.
    private static let phrases: [(service: String, terminal: String)] = [
        (
            "PATCH another url or credentials, then resume",
            "lull edit gives another URL or credentials, then lull resume"
        ),
        (
            "PATCH a fresh url, then resume",
            "lull edit --url gives a fresh one, then lull resume"
        ),
        (
            "PATCH proxy with its credentials, then resume",
            "lull edit --proxy gives its credentials, then lull resume"
        ),
        (
            "PATCH another url and resume, or cancel",
            "lull edit --url gives another one, then lull resume; or lull cancel"
        ),
        (
            "PATCH them with a url of this origin",
            "lull edit gives them anew together with --url"
        ),
        (
            "PATCH a larger max_bytes, then resume",
            "lull edit --max-bytes allows more, then lull resume"
        ),
        (
            "resume fetches the new version from the start; or PATCH another url that has the old "
                + "version",
            "lull resume fetches the new version from the start; or lull edit --url names a place "
                + "of the old one"
        ),
        (
            "or PATCH destination; then resume",
            "or lull edit --to names another place; then lull resume"
        ),
        (
            "PATCH destination, then resume",
            "lull edit --to names another place, then lull resume"
        ),
        ("PATCH destination", "lull edit --to names it anew"),
        ("PATCH body, then resume", "create the download anew with its --data"),
        ("PATCH its url, then retry", "lull edit --url gives it anew, then lull retry"),
        ("use PATCH)", "use lull edit)"),
        (
            "PUT or PATCH them to content.href",
            "lull put with the same FILE and PLACE goes on"
        ),
        ("POST to /retry of the download to fetch it again", "lull retry fetches it again"),
        ("PUT its configuration here to make it", "lull sessions set makes it"),
        ("PUT it here to make it", "lull every makes one"),
        (
            "PUT its configuration to make a new session of that name",
            "lull sessions set makes a new one of that name"
        ),
        ("PUT makes a new session of that name", "lull sessions set makes a new one of that name"),
        ("PUT a session of another name", "lull sessions set makes one of another name"),
        ("PUT the whole session", "lull sessions set gives them anew"),
        ("PUT the whole source", "lull every makes it anew"),
        ("PUT the session ", "lull sessions set has to give their headers to the session "),
        ("PUT /v1/sessions/", "lull sessions set "),
        ("GET /v1/sessions lists the sessions", "lull sessions lists them"),
        ("GET /v1/webhook_endpoints lists the endpoints", "lull webhooks lists them"),
        ("GET /v1/events has the events", "lull events has the events"),
        ("POST to /v1/downloads/{id}/content/link makes one", "lull link makes one"),
        ("POST to its resume before it looks", "lull sources resume lets it look"),
        ("Enable it with PATCH first", "It has to be enabled first"),
        ("PUT it first", "lull every makes one"),
        ("GET its triggers to list them", "Its triggers have other identifiers"),
        ("DELETE it, or use another name", "Take another name, or remove it with lull sources rm"),
        ("GET its items for the known ones", "lull sources items lists the known ones"),
        ("DELETE one that is not used any more", "lull conditions rm removes one"),
        (
            "PUT brings the whole file. To bring a part of it, use PATCH (tus)",
            "lull put brings the whole file"
        ),
        (" GET /openapi.yaml lists the paths.", " The service may be older than this program."),
    ]

    /// The sentence without requests of the API.
    ///
    /// - Parameter sentence: a text of the service for people.
    /// - Returns: the sentence, with commands where it names requests.
    package static func of(_ sentence: String) -> String {
        // Most sentences name none.
        let methods = ["PUT", "PATCH", "POST", "DELETE", "GET"]
        guard methods.contains(where: sentence.contains) else { return sentence }
        var text = sentence
        for phrase in phrases where text.contains(phrase.service) {
            text = text.replacing(phrase.service, with: phrase.terminal)
        }
        // The names of members stand between these words.
        if text.contains("PATCH "), text.contains(", then resume") {
            text = text.replacing("PATCH ", with: "lull edit gives ")
                .replacing(", then resume", with: " anew, then lull resume")
        }
        return text
    }
}
