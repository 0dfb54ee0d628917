// Policies of apps over the API: stored, shown with the rules in force, and applied at once.
import Base
import Postgres
import Testing

@testable import API

@Suite struct AppPolicyTests {
    private static let path = "/v1/apps/default/policy"

    @Test func anAppsPolicyIsStoredShownAndInForce() async throws {
        try await APIWorld.with { world in
            await #expect(
                world.send(
                    "PUT", "/v1/policy",
                    #"{"windows": {"night": ["22:00-06:00"]}, "limits": {"per_app": 9}}"#
                ).status == 200)
            let empty = await world.send("GET", Self.path)
            #expect(empty.json["version"] == 0 && empty["ETag"] == "\"0\"")
            let download = try #require(await world.create()["Location"])
            let body = #"{"limits": {"per_app": 20}, "bandwidth": "0"}"#
            let put = await world.send("PUT", Self.path, body)
            #expect(put.status == 200 && put.json["version"] == 1)
            #expect(put.json["findings"]?[0]?["pointer"] == "#/limits/per_app")
            #expect(put.json["effective"]?["limits"]?["per_app"] == 9)
            let held = await world.send("GET", download).json["blockers"]
            #expect(held?.arrayValue?.map { $0["code"] } == ["bandwidth_zero"])
            let again = await world.send("GET", Self.path)
            #expect(again.json["document"] == put.json["document"] && again["ETag"] == "\"1\"")
            // A window that the app's policy needs cannot be removed; the app's policy can.
            let rule = #"{"rules": [{"name": "n", "require": ["window night"]}]}"#
            await #expect(world.send("PUT", Self.path, rule).status == 200)
            await world.send("PUT", "/v1/policy", "{}")
                .expectProblem("validation-failed", status: 422)
            await #expect(world.send("DELETE", Self.path).status == 204)
            await #expect(world.send("PUT", "/v1/policy", "{}").status == 200)
            let free = await world.send("GET", download).json["blockers"]
            #expect(free?.arrayValue?.map { $0["code"] } == ["slots"])
        }
    }

    @Test func conditionsAndErrorsAreThoseOfTheDeploymentsPolicy() async throws {
        try await APIWorld.with { world in
            await world.send("GET", "/v1/apps/nobody/policy")
                .expectProblem("not-found", status: 404)
            await world.send("PUT", Self.path, #"{"shares": {}}"#)
                .expectProblem("validation-failed", status: 422)
            await #expect(world.send("PUT", Self.path, "{}").status == 200)
            await world.send("PUT", Self.path, "{}", headers: [("If-Match", "\"7\"")])
                .expectProblem("precondition-failed", status: 412)
            await #expect(
                world.send("PUT", Self.path, "{}", headers: [("If-Match", "\"1\"")]).status == 200)
        }
    }

    @Test func anAppsPolicyHasVersionsAndATrial() async throws {
        try await APIWorld.with { world in
            await #expect(world.send("GET", Self.path + "/versions").json["data"] == [])
            let download = try #require(await world.create()["Location"])
            let stop = #"{"bandwidth": "0"}"#
            // A trial changes nothing, and shows the effects of the change.
            let tried = await world.send("POST", Self.path + "/try", stop).json
            #expect(tried["judged"] == 1 && tried["is_whole"] == true)
            #expect(tried["counts"]?["later"] == 1 && tried["counts"]?["unchanged"] == 0)
            let after = tried["changes"]?[0]?["after"]?["blockers"]
            #expect(after?[0]?["code"] == "bandwidth_zero")
            let free = await world.send("GET", download).json["blockers"]
            #expect(free?.arrayValue?.map { $0["code"] } == ["slots"])
            await #expect(world.send("GET", Self.path).json["version"] == 0)
            for body in ["{}", stop] {
                await #expect(world.send("PUT", Self.path, body).status == 200)
            }
            await #expect(world.send("DELETE", Self.path).status == 204)
            let versions = await world.send("GET", Self.path + "/versions").json["data"]
            #expect(versions?.arrayValue?.map { $0["version"] } == [3, 2, 1])
            #expect(versions?[0]?["document"] == .null)
            #expect(versions?[1]?["document"]?["bandwidth"] == "0")
            // The deployment's versions are separate.
            await #expect(world.send("GET", "/v1/policy/versions").json["data"] == [])
            for path in ["/try", "/versions"] {
                let isTrial = path == "/try"
                let answer = await world.send(
                    isTrial ? "POST" : "GET", "/v1/apps/nobody/policy" + path, isTrial ? "{}" : nil)
                answer.expectProblem("not-found", status: 404)
            }
            await world.send("POST", Self.path + "/try", #"{"shares": {}}"#)
                .expectProblem("validation-failed", status: 422)
        }
    }

    /// Explain reads the counters of the budgets that count the download.
    @Test func explainShowsWhatIsLeftOfBudgets() async throws {
        try await APIWorld.with { world in
            _ = await world.send(
                "PUT", "/v1/policy",
                #"{"budgets": [{"name": "day", "bytes": 1000, "per": "day", "scope": "app"}]}"#)
            let body = """
                {"url": "https://origin.example/f", "count_of_bytes_client_expects_to_receive": 600}
                """
            let open = await world.send("POST", "/v1/policy/explain", body).json
            let budget = open["budgets"]?[0]
            #expect(budget?["name"] == "day" && budget?["left"] == 1000 && budget?["needs"] == 600)
            #expect(budget?["value"] == "default")
            _ = try await world.pool.query(
                """
                INSERT INTO budget_counters (owner, budget, value, starts_at, ends_at, spent)
                SELECT '', 'day', 'default', $1::timestamptz, $2::timestamptz, 700
                """,
                [
                    budgetStart(try #require(budget?["period_ends_at"]?.stringValue)),
                    try #require(budget?["period_ends_at"]?.stringValue),
                ])
            let held = await world.send("POST", "/v1/policy/explain", body).json
            #expect(held["blockers"]?[0]?["code"] == "budget")
            #expect(held["blockers"]?[0]?["rule"] == "day")
            #expect(held["until"] == budget?["period_ends_at"])
            #expect(held["budgets"]?[0]?["left"] == 300)
        }
    }

    private func budgetStart(_ end: String) -> String {
        ((Timestamp(rfc3339: end) ?? .epoch) - .seconds(86_400)).rfc3339
    }
}
