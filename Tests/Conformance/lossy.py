"""A link to PostgreSQL that loses answers behind their commit, by the test that has such a link."""
import os
import re
import subprocess

from world import ROOT, Failed, check

SEEDS = int(os.environ.get("LULL_LOSSY_SEEDS", "2"))


def link():
    """So many worlds of a minute each, told apart by their seeds."""
    swift("build", "-j", "2", "--build-tests")
    words = swift("test", "--skip-build", "--disable-xctest", "--filter", "LossyLinkTests")
    check(re.search(r"Test run with 1 test .*passed", words), f"no test ran:\n{words[-2000:]}")
    return f"{SEEDS} worlds of 600 downloads: everything arrived, nothing stayed held"


def swift(*arguments):
    """Runs swift at the top of the repository; gives what it printed."""
    environment = {name: value for name, value in os.environ.items() if name != "LULL_BINARY"}
    done = subprocess.run(
        ["swift", *arguments], cwd=ROOT, env=environment | {"LULL_LOSSY": str(SEEDS)},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", check=False)
    if done.returncode:
        raise Failed(f"swift {arguments[0]} ended with {done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout
