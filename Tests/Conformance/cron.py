"""Cron expressions against croniter and cronsim, which we did not write, and zoneinfo's clocks."""
import datetime
import http.client
import json
import os
import random
import zoneinfo

from croniter import croniter
from cronsim import CronSim

from world import World, check

ZONES = (
    "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Antarctica/Troll",
    "Asia/Gaza", "Pacific/Kiritimati", "Pacific/Apia", "Africa/Casablanca", "Asia/Kathmandu",
    "America/St_Johns", "Africa/Cairo")
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
DAYS = "sun mon tue wed thu fri sat".split()
MINUTE = datetime.timedelta(minutes=1)


def field(choose, low, high, names=()):
    """One field as people write them, and a few that nobody would."""
    def number():
        value = choose.randint(low, high)
        return names[value - low] if names and choose.random() < 0.3 else str(value)

    def part():
        kind = choose.random()
        if kind < 0.55:
            return number()
        first, last = sorted((choose.randint(low, high), choose.randint(low, high)))
        if first == last:  # croniter lets such a range go around.
            return str(first)
        step = f"/{choose.randint(1, high - low + 1)}" if kind < 0.8 else ""
        return f"{first}-{last}{step}"

    kind = choose.random()
    if kind < 0.35:
        return "*"
    if kind < 0.5:
        return f"*/{choose.randint(1, high - low + 1)}"
    return ",".join(part() for _ in range(choose.choice((1, 1, 1, 2, 3))))


def expression(choose):
    day = "L" if choose.random() < 0.08 else field(choose, 1, 31)
    weekday = field(choose, 0, 7, DAYS + ["7"])
    if choose.random() < 0.12:
        weekday = f"{choose.choice(DAYS + list('01234567'))}#{choose.randint(1, 5)}"
    return " ".join((
        field(choose, 0, 59), field(choose, 0, 23), day, field(choose, 1, 12, MONTHS), weekday))


def hours_of(text):
    """Whether the hour field has all hours."""
    return set(CronSim(f"0 {text.split()[1]} * * *", datetime.datetime(2001, 1, 1)).hours) == set(
        range(24))


def readings(text, after):
    """The matching readings of a clock that is never changed, from cronsim, checked by croniter."""
    # croniter joins the forms L and N#K with other days in ways of its own.
    other = None if "L" in text or "#" in text else croniter(
        text, after, ret_type=datetime.datetime, implement_cron_bug=True)
    for place, reading in enumerate(CronSim(text, after)):
        if other and place < 5:
            same = other.get_next(datetime.datetime)
            check(same == reading, f"croniter has {same} and cronsim {reading} for {text}")
        yield reading


def instants(text, after, zone, count):
    """The instants of the rules that are decided: see docs/sources.md, "Clock changes"."""
    utc = datetime.timezone.utc
    # A reading of the day before may be due later, at the end of a gap.
    start = after.astimezone(zone).replace(tzinfo=None) - datetime.timedelta(days=2)
    found, follows_clock = [], hours_of(text)
    for reading in readings(text, start):
        both = [reading.replace(tzinfo=zone, fold=fold).astimezone(utc) for fold in (0, 1)]
        exists = both[0].astimezone(zone).replace(tzinfo=None) == reading
        if exists and both[0] != both[1] and not follows_clock:
            both = both[:1]
        elif not exists and follows_clock:
            continue
        elif not exists:
            at = reading
            while (at := at + MINUTE).replace(tzinfo=zone).astimezone(utc).astimezone(
                    zone).replace(tzinfo=None) != at:
                pass
            both = [at.replace(tzinfo=zone).astimezone(utc)]
        found += [at for at in dict.fromkeys(both) if at > after]
        # With two readings of one hour the instants do not rise with the readings.
        if len(set(found)) >= count and reading.replace(tzinfo=zone).astimezone(
                utc) > sorted(set(found))[count - 1] + datetime.timedelta(days=2):
            break
        if len(found) > 500:
            break
    return sorted(set(found))[:count]


def cron():
    """LULL_CRON_CASES says how many; each compares up to 20 instants."""
    cases = int(os.environ.get("LULL_CRON_CASES", "1000"))
    choose = random.Random(int(os.environ.get("LULL_CRON_SEED", "43")))
    refused = compared = 0
    with World() as world:
        connection = http.client.HTTPConnection("127.0.0.1", world.port, timeout=60)
        for _ in range(cases):
            text, name = expression(choose), choose.choice(ZONES)
            after = datetime.datetime(1970, 1, 3, tzinfo=datetime.timezone.utc) + datetime.timedelta(
                minutes=choose.randrange(60 * 24 * 365 * 129))
            connection.request(
                "POST", "/v1/sources/try", json.dumps({
                    "schedule": {"cron": text, "time_zone": name},
                    "after": after.strftime("%Y-%m-%dT%H:%M:%SZ")}),
                {"Content-Type": "application/json"})
            reply = connection.getresponse()
            document = json.loads(reply.read())
            try:
                wanted = instants(text, after, zoneinfo.ZoneInfo(name), 20)
            except Exception as fault:  # Each library has its own kinds.
                check("Cron" in type(fault).__name__, f"{text}: {fault!r}")
                check(reply.status == 422, f"{text} was taken; cronsim says {fault}")
                refused += 1
                continue
            if reply.status == 422 and not wanted:
                refused += 1
                continue
            check(reply.status == 200, f"{text} was refused: {document}")
            given = [
                datetime.datetime.fromisoformat(one["at"]) for one in document["instants"]]
            check(given[:len(wanted)] == wanted or given == wanted[:len(given)] and len(given) == 20,
                  f"{text} in {name} after {after}: {given[:6]} is not {wanted[:6]}")
            compared += len(wanted)
    return f"{compared} instants of {cases} expressions agree, {refused} are impossible for all three"
