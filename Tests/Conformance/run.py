"""Runs the named steps, or all of them, one after the other: PASS or FAIL and what was shown."""
import sys
import time
import traceback

import caching
import cron
import feeds
import fetchers
import figures
import generated
import halftunes
import manifests
import package
import replies
import slow
import smoke
import specification
import streams
import webhooks
from page.step import page
from world import Failed

STEPS = {
    "smoke": smoke.direct,
    "nginx": smoke.through_nginx,
    "haproxy": smoke.through_haproxy,
    "caddy": smoke.through_caddy,
    "fetchers": fetchers.fetchers,
    "feeds": feeds.feeds,
    "sseclient": streams.resumption,
    "webhooks": webhooks.webhooks,
    "types": generated.types,
    "client": generated.client,
    "curl-cases": replies.curl_cases,
    "llhttp": package.llhttp,
    "lossy-link": package.lossy_link,
    "redbot": caching.redbot,
    "promtool": figures.promtool,
    "cron": cron.cron,
    "kubernetes": manifests.kubernetes,
    "slowhttptest": slow.attacks,
    "schemathesis": specification.schemathesis,
    "keys": specification.schemathesis_with_keys,
    "page": page,
    "halftunes": halftunes.halftunes,
}


def main(names):
    unknown = [name for name in names if name not in STEPS]
    if unknown:
        print(f"no step {unknown[0]}; there are {', '.join(STEPS)}", file=sys.stderr)
        return 2
    failed = 0
    for name in names or STEPS:
        began = time.monotonic()
        try:
            words, verdict = STEPS[name](), "PASS"
        except Failed as failure:
            words, verdict = str(failure), "FAIL"
        except Exception:  # A step that broke off has shown nothing.
            words, verdict = traceback.format_exc(), "FAIL"
        failed += verdict == "FAIL"
        print(f"{verdict} {name} ({time.monotonic() - began:.0f} s): {words}", flush=True)
    total = len(names or STEPS)
    print(f"conformance: {total - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
