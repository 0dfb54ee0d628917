// One world at a time: every end-to-end test starts servers of its own, and the machine is small.
import Testing

/// The suites that run the real program.
@Suite(.serialized)
enum EndToEndTests {}
