// Lists of records that statements pass: the fields of their types are the names in Store/Tables.
import Postgres
import Testing

@testable import Store

@Suite struct RecordTypeTests {
    private static let types: [String: String] = [
        "attempt_end": AttemptEnd.fields.names,
        "run_progress": ProgressRow.fields.names,
        "tried_delivery": TriedDelivery.fields.names,
        "claim_lane": ClaimLane.fields.names,
        "app_limit": AppLimit.fields.names,
        "claim_probes": ClaimParameters.probes.names,
        "app_mark": LookMark.ofApps.names,
        "group_mark": LookMark.ofGroups.names,
    ]

    /// A record is made by place: a field that moved would get the value of another one.
    @Test func theFieldsOfATypeStandAsInItsList() async throws {
        try await StoreLab.with { lab in
            for (type, names) in RecordTypeTests.types {
                let fields = try await lab.pool.query(
                    """
                    SELECT string_agg(a.attname, ', ' ORDER BY a.attnum) FROM pg_attribute a
                    WHERE a.attrelid = $1::text::regclass AND a.attnum > 0 AND NOT a.attisdropped
                    """, [type])[0].get(0, as: String.self)
                #expect(fields == names, "\(type)")
            }
        }
    }
}
