// The lines that every verb says in every state.

extension EndToEndTests.VerbTableTests {
    /// State, verb, exit status and first line.
    static let table = """
        waiting | show | 0 | ID waiting: it does not begin before TIME
        waiting | why | 0 | It does not begin before TIME.
        waiting | wait --timeout 1ms | 5 |
        waiting | watch --timeout 1ms | 5 | ID small waiting: it does not begin before TIME
        waiting | cat | 1 | lull: ID has no content: it is waiting: it does not begin before TIME
        waiting | link | 1 | lull: The download is waiting. Its content is available once it \
        has succeeded. (content-not-ready)
        waiting | suspend | 0 | ID suspended
        waiting | resume | 0 | ID waiting: it does not begin before TIME
        waiting | cancel | 0 | ID canceled
        waiting | retry | 0 | ID waiting: it does not begin before TIME
        waiting | rm | 1 | lull: A download that is waiting cannot be deleted. Possible \
        actions: suspend, resume, cancel, retry. (invalid-state-transition)
        waiting | edit --priority 0.75 | 0 | ID
        waiting | edit --now | 0 | ID
        suspended | show | 0 | ID suspended
        suspended | why | 0 | It is suspended until it is resumed.
        suspended | wait --timeout 1ms | 5 |
        suspended | watch --timeout 1ms | 5 | ID small suspended
        suspended | cat | 1 | lull: ID has no content: it is suspended
        suspended | link | 1 | lull: The download is suspended. Its content is available once \
        it has succeeded. (content-not-ready)
        suspended | suspend | 0 | ID suspended
        suspended | resume | 0 | ID waiting: it is due and begins when a slot is free
        suspended | cancel | 0 | ID canceled
        suspended | retry | 1 | lull: A download that is suspended cannot be retried. Possible \
        actions: suspend, resume, cancel. (invalid-state-transition)
        suspended | rm | 1 | lull: A download that is suspended cannot be deleted. Possible \
        actions: suspend, resume, cancel. (invalid-state-transition)
        suspended | edit --priority 0.75 | 0 | ID
        suspended | edit --now | 0 | ID has these values already
        running | show | 0 | ID running
        running | why | 0 | It runs now.
        running | wait --timeout 1ms | 5 |
        running | watch --timeout 1ms | 5 | ID large running
        running | cat | 1 | lull: ID has no content: it is running
        running | link | 1 | lull: The download is running. Its content is available once it \
        has succeeded. (content-not-ready)
        running | suspend | 0 | ID suspended
        running | resume | 0 | ID running
        running | cancel | 0 | ID canceled
        running | retry | 0 | ID running
        running | rm | 1 | lull: A download that is running cannot be deleted. Possible \
        actions: suspend, resume, cancel, retry. (invalid-state-transition)
        running | edit --priority 0.75 | 0 | ID
        running | edit --now | 0 | ID has these values already
        attention_required | show | 0 | ID attention_required: the origin answered 403: lull \
        edit gives another URL or credentials, then lull resume (user_authentication_required)
        attention_required | why | 0 | It needs you: the origin answered 403: lull edit \
        gives another URL or credentials, then lull resume.
        attention_required | wait --timeout 1ms | 6 |
        attention_required | watch --timeout 1ms | 6 | ID small attention_required: the origin \
        answered 403: lull edit gives another URL or credentials, then lull resume \
        (user_authentication_required)
        attention_required | cat | 1 | lull: ID has no content: it is attention_required: the \
        origin answered 403: lull edit gives another URL or credentials, then lull resume \
        (user_authentication_required)
        attention_required | link | 1 | lull: The download is attention_required. Its content \
        is available once it has succeeded. (content-not-ready)
        attention_required | suspend | 1 | lull: A download that is attention_required cannot \
        be suspended. Possible actions: resume, cancel, retry. (invalid-state-transition)
        attention_required | resume | 0 | ID waiting: it is due and begins when a slot is free
        attention_required | cancel | 0 | ID canceled
        attention_required | retry | 0 | ID waiting: it is due and begins when a slot is free
        attention_required | rm | 1 | lull: A download that is attention_required cannot be \
        deleted. Possible actions: resume, cancel, retry. (invalid-state-transition)
        attention_required | edit --priority 0.75 | 0 | ID
        attention_required | edit --now | 0 | ID has these values already
        succeeded | show | 0 | ID succeeded, 2.0 kB
        succeeded | why | 0 | It has succeeded.
        succeeded | wait --timeout 1ms | 0 |
        succeeded | watch --timeout 1ms | 0 | ID small succeeded, 2.0 kB
        succeeded | cat | 0 | (content)
        succeeded | link | 0 | http://HOST/content/…
        succeeded | suspend | 1 | lull: A download that is succeeded cannot be suspended. \
        Possible actions: delete. (invalid-state-transition)
        succeeded | resume | 1 | lull: A download that is succeeded cannot be resumed. Possible \
        actions: delete. (invalid-state-transition)
        succeeded | cancel | 1 | lull: A download that is succeeded cannot be canceled. \
        Possible actions: delete. (invalid-state-transition)
        succeeded | retry | 1 | lull: A download that is succeeded cannot be retried. Possible \
        actions: delete. (invalid-state-transition)
        succeeded | rm | 0 | ID deleted
        succeeded | edit --priority 0.75 | 1 | lull: A download that is succeeded cannot be \
        changed like this. Possible actions: delete. (invalid-state-transition)
        succeeded | edit --now | 1 | lull: A download that is succeeded cannot be changed like \
        this. Possible actions: delete. (invalid-state-transition)
        failed | show | 0 | ID failed: the content is 2000 bytes long, but min_bytes is 1048576 \
        (content_too_short)
        failed | why | 0 | It has failed: the content is 2000 bytes long, but min_bytes is \
        1048576.
        failed | wait --timeout 1ms | 1 |
        failed | watch --timeout 1ms | 1 | ID small failed: the content is 2000 bytes long, but \
        min_bytes is 1048576 (content_too_short)
        failed | cat | 1 | lull: ID has no content: it is failed: the content is 2000 bytes \
        long, but min_bytes is 1048576 (content_too_short)
        failed | link | 1 | lull: The download is failed and has no content. (content-not-ready)
        failed | suspend | 1 | lull: A download that is failed cannot be suspended. Possible \
        actions: retry, delete. (invalid-state-transition)
        failed | resume | 1 | lull: A download that is failed cannot be resumed. Possible \
        actions: retry, delete. (invalid-state-transition)
        failed | cancel | 1 | lull: A download that is failed cannot be canceled. Possible \
        actions: retry, delete. (invalid-state-transition)
        failed | retry | 0 | ID waiting: it is due and begins when a slot is free
        failed | rm | 0 | ID deleted
        failed | edit --priority 0.75 | 0 | ID
        failed | edit --now | 0 | ID has these values already
        canceled | show | 0 | ID canceled
        canceled | why | 0 | It was canceled.
        canceled | wait --timeout 1ms | 1 |
        canceled | watch --timeout 1ms | 1 | ID small canceled
        canceled | cat | 1 | lull: ID has no content: it is canceled
        canceled | link | 1 | lull: The download is canceled and has no content. \
        (content-not-ready)
        canceled | suspend | 1 | lull: A download that is canceled cannot be suspended. \
        Possible actions: cancel, retry, delete. (invalid-state-transition)
        canceled | resume | 1 | lull: A download that is canceled cannot be resumed. Possible \
        actions: cancel, retry, delete. (invalid-state-transition)
        canceled | cancel | 0 | ID canceled
        canceled | retry | 0 | ID waiting: it is due and begins when a slot is free
        canceled | rm | 0 | ID deleted
        canceled | edit --priority 0.75 | 0 | ID
        canceled | edit --now | 0 | ID has these values already
        """
}
