"""What the schemas of Kubernetes say of our manifests."""
import os
import subprocess
import sys

from world import check

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def kubernetes():
    """Unknown members are refused too: kubernetes-validate --strict."""
    folder = os.path.join(ROOT, "docker", "kubernetes")
    names = sorted(name for name in os.listdir(folder) if name.endswith(".yaml"))
    check(names, "no manifests")
    tool = os.path.join(os.path.dirname(sys.executable), "kubernetes-validate")
    passed = 0
    for name in names:
        result = subprocess.run(
            [tool, "--strict", os.path.join(folder, name)], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        check(result.returncode == 0, result.stdout)
        passed += result.stdout.count(" passed for resource ")
    check(passed >= 6, f"{passed} resources were looked at")
    return f"{passed} resources, no complaint"
