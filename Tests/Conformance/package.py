"""Steps that are tests of the package: their corpus, or the link that they need, is in Swift."""
import os
import re
import subprocess

from world import ROOT, Failed, check

SEEDS = int(os.environ.get("LULL_LOSSY_SEEDS", "2"))


def lossy_link():
    """A link to PostgreSQL that loses answers behind their commit: so many worlds of a minute."""
    run("LossyLinkTests")
    return f"{SEEDS} worlds of 600 downloads: everything arrived, nothing stayed held"


def llhttp():
    """llhttp's strict request cases, each whole, byte by byte and cut in two at every place."""
    cases = re.findall(r"strictCasesOfLLHTTP.* with (\d+) test cases passed", run("strictCasesOfLLHTTP"))
    check(cases, "the cases were not counted")
    return f"{cases[0]} strict cases, each judged alike at every split"


def run(name):
    """Builds and runs the one test of a name; gives what it printed."""
    swift("build", "-j", "2", "--build-tests")
    words = swift("test", "--skip-build", "--disable-xctest", "--filter", name)
    check(re.search(r"Test run with 1 test .*passed", words), f"no test ran:\n{words[-2000:]}")
    return words


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
