"""Runs a Slurm cluster on one machine: munged, slurmctld and a slurmd for each of two nodes.

It lives in namespaces of its own (in_namespaces): its ports are on a loopback that nobody else has,
its files on a file system that goes away with it, and all its processes end with the one that
started it, whatever happens.
"""

import fcntl
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

FOLDER = "/run/warpcheck-slurm-test"
SKIPPED = 77
NODES = ("node1", "node2")
PATIENCE = 300  # the limit in seconds for any event that must happen

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")

CONFIGURATION = """
ClusterName=warpcheck
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort=17001
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
KillWait=5
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=1
{nodes}
PartitionName=class Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(SKIPPED)


def in_namespaces():
    """Starts this program again in namespaces of its own: killing it ends everything in them."""
    if os.environ.get("WARPCHECK_SLURM_NAMESPACES"):
        return
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        skip(f"{', '.join(missing)} not found: ci/setup.sh test installs slurm-wlm and munge")
    if os.geteuid() != 0:
        skip("a cluster of its own has to be started by root")
    unshare = ["unshare", "--pid", "--fork", "--kill-child=KILL", "--mount", "--mount-proc", "--net"]
    if subprocess.run([*unshare, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        skip("unshare is not allowed to make namespaces here")
    os.environ["WARPCHECK_SLURM_NAMESPACES"] = "1"
    # The shell is the first process of its namespace, and reaps orphans.
    script = f'mount -t tmpfs none /run && mkdir -m 755 {FOLDER} && "$@"; exit $?'
    os.execvp("unshare", [*unshare, "sh", "-c", script, "sh", sys.executable, "-B", *sys.argv])


def network_of_its_own():
    """Sets up a loopback with one more address, because addresses 127.* alone are never resolved."""
    def request(number, name, value):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            fcntl.ioctl(any_socket, number, struct.pack("16s16s8x", name, value))

    up_and_running = struct.pack("H14x", 0x1 | 0x40)
    request(0x8914, b"lo", up_and_running)
    address = struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton("10.17.17.17"))
    request(0x8916, b"lo:1", address)


def wait_until(what, condition):
    """Waits until the condition returns a true value, and returns that value."""
    deadline = time.monotonic() + PATIENCE
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"in {PATIENCE} s there was no {what}")
        time.sleep(0.05)


def command(*words):
    """Returns the output of one of Slurm's commands; empty if the command fails."""
    end = subprocess.run(words, capture_output=True, text=True, check=False)
    return end.stdout if end.returncode == 0 else ""


class Cluster:
    def __init__(self):
        self.daemons = {}
        for name in ("munge", "state", "log"):
            os.mkdir(f"{FOLDER}/{name}", 0o700)
        with open(os.open(f"{FOLDER}/munge/key", os.O_WRONLY | os.O_CREAT, 0o600), "wb") as key:
            key.write(os.urandom(1024))
        host = socket.gethostname().split(".")[0]
        nodes = "\n".join(f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 CPUs=1 "
                          f"Port={17011 + number}" for number, name in enumerate(NODES))
        with open(f"{FOLDER}/slurm.conf", "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(folder=FOLDER, host=host, nodes=nodes))
        os.environ["SLURM_CONF"] = f"{FOLDER}/slurm.conf"
        network_of_its_own()
        self.start_munged()
        self.start("slurmctld", "slurmctld", "-D")
        for node in NODES:
            self.start_node(node)
        wait_until("cluster of idle nodes", self.is_idle)

    def start(self, name, *words):
        with open(f"{FOLDER}/log/{name}", "ab") as log:
            self.daemons[name] = subprocess.Popen(words, stdout=log, stderr=log,
                                                  stdin=subprocess.DEVNULL)

    def start_munged(self):
        files = [f"--{option}={FOLDER}/munge/{name}" for option, name in (
            ("socket", "socket"), ("key-file", "key"), ("pid-file", "pid"), ("log-file", "log"),
            ("seed-file", "seed"))]
        self.start("munged", "munged", "--foreground", "--force", *files)
        wait_until("munged", lambda: os.path.exists(f"{FOLDER}/munge/socket"))

    def start_node(self, node):
        self.start(node, "slurmd", "-D", "-N", node)

    def end(self, name):
        self.daemons[name].kill()
        self.daemons[name].wait()

    def is_idle(self):
        states = command("sinfo", "--noheader", "--Node", "--format=%T").split()
        return states == ["idle"] * len(NODES)

    def kill_node(self, node):
        """Kills the daemon of a node, its steps and their processes, as a power failure does."""
        self.end(node)
        for pid in self.tasks_of(node):
            for victim in (self.parent(pid), pid):  # the step's daemon and the task
                if victim > 1:
                    try:
                        os.kill(victim, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
        wait_until(f"end of the tasks of {node}", lambda: not self.tasks_of(node))

    @staticmethod
    def parent(pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                return int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            return 0

    @staticmethod
    def tasks_of(node):
        """Returns the process ids of `warpcheck grade-chunk` on a node."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    environment = file.read().split(b"\0")
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
            except OSError:
                continue
            if f"SLURMD_NODENAME={node}".encode() in environment and b"grade-chunk" in words:
                found.append(int(pid))
        return found


def logs():
    for name in sorted(os.listdir(f"{FOLDER}/log")):
        with open(f"{FOLDER}/log/{name}", encoding="utf-8", errors="replace") as file:
            print(f"--- {name}\n{''.join(file.readlines()[-40:])}")
