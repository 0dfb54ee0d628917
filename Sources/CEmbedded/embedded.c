// The files that are compiled in. #embed (C23) takes no time; a literal of Swift with as many bytes takes minutes.
#include "embedded.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi_yaml[] = {
#embed "../../openapi.yaml"
};
static const unsigned char migrations_0001_schema_sql[] = {
#embed "../../migrations/0001_schema.sql"
};
static const unsigned char migrations_functions_again_sql[] = {
#embed "../../migrations/functions/again.sql"
};
static const unsigned char migrations_functions_budgets_sql[] = {
#embed "../../migrations/functions/budgets.sql"
};
static const unsigned char migrations_functions_claim_sql[] = {
#embed "../../migrations/functions/claim.sql"
};
static const unsigned char migrations_functions_clients_sql[] = {
#embed "../../migrations/functions/clients.sql"
};
static const unsigned char migrations_functions_codes_sql[] = {
#embed "../../migrations/functions/codes.sql"
};
static const unsigned char migrations_functions_deliveries_sql[] = {
#embed "../../migrations/functions/deliveries.sql"
};
static const unsigned char migrations_functions_endpoints_sql[] = {
#embed "../../migrations/functions/endpoints.sql"
};
static const unsigned char migrations_functions_events_sql[] = {
#embed "../../migrations/functions/events.sql"
};
static const unsigned char migrations_functions_finish_sql[] = {
#embed "../../migrations/functions/finish.sql"
};
static const unsigned char migrations_functions_flights_sql[] = {
#embed "../../migrations/functions/flights.sql"
};
static const unsigned char migrations_functions_gates_sql[] = {
#embed "../../migrations/functions/gates.sql"
};
static const unsigned char migrations_functions_history_sql[] = {
#embed "../../migrations/functions/history.sql"
};
static const unsigned char migrations_functions_hooks_sql[] = {
#embed "../../migrations/functions/hooks.sql"
};
static const unsigned char migrations_functions_lanes_sql[] = {
#embed "../../migrations/functions/lanes.sql"
};
static const unsigned char migrations_functions_learned_sql[] = {
#embed "../../migrations/functions/learned.sql"
};
static const unsigned char migrations_functions_origins_sql[] = {
#embed "../../migrations/functions/origins.sql"
};
static const unsigned char migrations_functions_parts_sql[] = {
#embed "../../migrations/functions/parts.sql"
};
static const unsigned char migrations_functions_progress_sql[] = {
#embed "../../migrations/functions/progress.sql"
};
static const unsigned char migrations_functions_release_sql[] = {
#embed "../../migrations/functions/release.sql"
};
static const unsigned char migrations_functions_replicas_sql[] = {
#embed "../../migrations/functions/replicas.sql"
};
static const unsigned char migrations_functions_results_sql[] = {
#embed "../../migrations/functions/results.sql"
};
static const unsigned char migrations_functions_sessions_sql[] = {
#embed "../../migrations/functions/sessions.sql"
};
static const unsigned char page_add_js[] = {
#embed "page/add.js"
};
static const unsigned char page_api_js[] = {
#embed "page/api.js"
};
static const unsigned char page_app_css[] = {
#embed "page/app.css"
};
static const unsigned char page_app_js[] = {
#embed "page/app.js"
};
static const unsigned char page_dom_js[] = {
#embed "page/dom.js"
};
static const unsigned char page_download_js[] = {
#embed "page/download.js"
};
static const unsigned char page_icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char page_index_html[] = {
#embed "page/index.html"
};
static const unsigned char page_overview_js[] = {
#embed "page/overview.js"
};
static const unsigned char page_page_js[] = {
#embed "page/page.js"
};
static const unsigned char page_policy_js[] = {
#embed "page/policy.js"
};
static const unsigned char page_queue_js[] = {
#embed "page/queue.js"
};
static const unsigned char page_rows_js[] = {
#embed "page/rows.js"
};
static const unsigned char page_sessions_js[] = {
#embed "page/sessions.js"
};
static const unsigned char page_stream_js[] = {
#embed "page/stream.js"
};
static const unsigned char page_text_js[] = {
#embed "page/text.js"
};
static const unsigned char page_time_js[] = {
#embed "page/time.js"
};
static const unsigned char page_trial_js[] = {
#embed "page/trial.js"
};
static const unsigned char page_webhooks_js[] = {
#embed "page/webhooks.js"
};
static const unsigned char page_when_js[] = {
#embed "page/when.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct embedded_file files[] = {
    FILE("openapi.yaml", openapi_yaml),
    FILE("migrations/0001_schema.sql", migrations_0001_schema_sql),
    FILE("migrations/functions/again.sql", migrations_functions_again_sql),
    FILE("migrations/functions/budgets.sql", migrations_functions_budgets_sql),
    FILE("migrations/functions/claim.sql", migrations_functions_claim_sql),
    FILE("migrations/functions/clients.sql", migrations_functions_clients_sql),
    FILE("migrations/functions/codes.sql", migrations_functions_codes_sql),
    FILE("migrations/functions/deliveries.sql", migrations_functions_deliveries_sql),
    FILE("migrations/functions/endpoints.sql", migrations_functions_endpoints_sql),
    FILE("migrations/functions/events.sql", migrations_functions_events_sql),
    FILE("migrations/functions/finish.sql", migrations_functions_finish_sql),
    FILE("migrations/functions/flights.sql", migrations_functions_flights_sql),
    FILE("migrations/functions/gates.sql", migrations_functions_gates_sql),
    FILE("migrations/functions/history.sql", migrations_functions_history_sql),
    FILE("migrations/functions/hooks.sql", migrations_functions_hooks_sql),
    FILE("migrations/functions/lanes.sql", migrations_functions_lanes_sql),
    FILE("migrations/functions/learned.sql", migrations_functions_learned_sql),
    FILE("migrations/functions/origins.sql", migrations_functions_origins_sql),
    FILE("migrations/functions/parts.sql", migrations_functions_parts_sql),
    FILE("migrations/functions/progress.sql", migrations_functions_progress_sql),
    FILE("migrations/functions/release.sql", migrations_functions_release_sql),
    FILE("migrations/functions/replicas.sql", migrations_functions_replicas_sql),
    FILE("migrations/functions/results.sql", migrations_functions_results_sql),
    FILE("migrations/functions/sessions.sql", migrations_functions_sessions_sql),
    FILE("page/add.js", page_add_js),
    FILE("page/api.js", page_api_js),
    FILE("page/app.css", page_app_css),
    FILE("page/app.js", page_app_js),
    FILE("page/dom.js", page_dom_js),
    FILE("page/download.js", page_download_js),
    FILE("page/icon.svg", page_icon_svg),
    FILE("page/index.html", page_index_html),
    FILE("page/overview.js", page_overview_js),
    FILE("page/page.js", page_page_js),
    FILE("page/policy.js", page_policy_js),
    FILE("page/queue.js", page_queue_js),
    FILE("page/rows.js", page_rows_js),
    FILE("page/sessions.js", page_sessions_js),
    FILE("page/stream.js", page_stream_js),
    FILE("page/text.js", page_text_js),
    FILE("page/time.js", page_time_js),
    FILE("page/trial.js", page_trial_js),
    FILE("page/webhooks.js", page_webhooks_js),
    FILE("page/when.js", page_when_js),
};
const size_t embedded_file_count = sizeof files / sizeof *files;

const struct embedded_file *embedded_files(void) { return files; }
