"""Tests that a class graded on a real Slurm cluster gets the grades that this machine alone gives it, whatever
happens to nodes, tasks and the batch meanwhile."""

import collections
import json
import os
import shutil
import signal
import subprocess
import sys
import unittest

import cluster
from cluster import FOLDER, command, wait_until

WARPCHECK = os.path.abspath(sys.argv[1])
SUBMISSIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../submissions/transpose")
CLASS = ("passed/padded_tile", "passed/large_tile", "passed/swizzled_tile", "failed/naive",
         "failed/unpadded_tile", "failed/missing_syncthreads", "failed/copies_its_input",
         "failed/one_column_past_the_end", "error/does_not_compile", "error/crash_on_host",
         "error/exits")


class SlurmTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.environ.update(WARPCHECK_CACHE=f"{FOLDER}/cache", TMPDIR=f"{FOLDER}/tmp")
        os.mkdir(f"{FOLDER}/tmp")
        os.mkdir(f"{FOLDER}/class")
        for name in CLASS:
            shutil.copy(f"{SUBMISSIONS}/{name}.cu", f"{FOLDER}/class")
        cls.cluster = cluster.Cluster()
        cls.run_batch("local", executor="local")
        cls.expected = cls.file("local/grades.csv")

    @staticmethod
    def start_batch(out, *more, executor="slurm"):
        words = [WARPCHECK, "batch", "transpose", f"{FOLDER}/class", "--out", f"{FOLDER}/{out}",
                 "--seed", "5", "--device", "emulator", "--executor", executor, *more]
        if executor == "slurm" and "--slurm-options" not in more:
            # The configuration of these nodes does not say what they have.
            words += ["--slurm-options", "--mem=1M"]
        with open(f"{FOLDER}/{out}.log", "a", encoding="utf-8") as log:
            return subprocess.Popen(words, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    @classmethod
    def run_batch(cls, out, *more, executor="slurm"):
        return cls.start_batch(out, *more, executor=executor).wait()

    @staticmethod
    def file(name):
        with open(f"{FOLDER}/{name}", encoding="utf-8") as file:
            return file.read()

    def graded(self, out):
        """Returns how often the journal has a grade of each."""
        counts = collections.Counter()
        if os.path.exists(f"{FOLDER}/{out}/journal"):
            for line in self.file(f"{out}/journal").splitlines():
                record = line[17:]
                if '"event":"graded"' in record:
                    try:
                        counts[json.loads(record)["id"]] += 1
                    except ValueError:  # the line is still being written
                        pass
        return counts

    def expect_same_grades(self, out):
        self.assertEqual(self.file(f"{out}/grades.csv"), self.expected, self.file(f"{out}.log"))
        self.assertEqual(set(self.graded(out).values()), {1}, "one grade each")
        self.assertFalse(os.path.exists(f"{FOLDER}/{out}/slurm"), "its files are left behind")

    def arrays(self):
        return set(command("squeue", "--noheader", "--states=all", "--format=%j").split())

    def test_grades_as_one_machine_does(self):
        before = set(os.listdir(f"{FOLDER}/tmp"))  # other tests have killed these tasks
        self.assertEqual(self.run_batch("plain"), 0, self.file("plain.log"))
        self.expect_same_grades("plain")
        wait_until("end of all tasks", self.cluster.is_idle)
        self.assertEqual(set(os.listdir(f"{FOLDER}/tmp")) - before, set(), "left behind")

    def hold_a_task(self, batch, out):
        """Waits for a first grade and stops a task in the middle; returns its node and process."""
        wait_until("first grade", lambda: self.graded(out))

        def held():
            self.assertIsNone(batch.poll(), "the batch ended before a task could be held")
            for node in cluster.NODES:
                for pid in self.cluster.tasks_of(node):
                    os.kill(pid, signal.SIGSTOP)
                    if pid in self.cluster.tasks_of(node):
                        return node, pid
            return None

        return wait_until("running task", held)

    def test_a_node_dies(self):
        batch = self.start_batch("node")
        node, _ = self.hold_a_task(batch, "node")
        self.cluster.kill_node(node)
        self.cluster.start_node(node)
        self.assertEqual(batch.wait(), 0, self.file("node.log"))
        self.expect_same_grades("node")
        self.assertRegex(command("scontrol", "--oneliner", "show", "job"), "Restarts=[1-9]",
                         "no task was begun again by Slurm")

    def test_the_batch_is_killed(self):
        batch = self.start_batch("killed")
        _, task = self.hold_a_task(batch, "killed")
        batch.kill()
        batch.wait()
        before = self.arrays()
        self.assertLess(len(self.graded("killed")), len(CLASS), "it was killed in the middle")
        os.kill(task, signal.SIGCONT)
        self.assertEqual(self.run_batch("killed", "--resume"), 0, self.file("killed.log"))
        self.expect_same_grades("killed")
        self.assertEqual(self.arrays(), before, "nothing had to be submitted again")

    def test_somebody_cancels_its_tasks(self):
        batch = self.start_batch("cancelled")
        self.hold_a_task(batch, "cancelled")
        name = os.listdir(f"{FOLDER}/cancelled/slurm")[0]
        subprocess.run(["scancel", f"--name={name}"], check=True)
        self.assertEqual(batch.wait(), 0, self.file("cancelled.log"))
        self.expect_same_grades("cancelled")

    def test_a_person_stops_it(self):
        batch = self.start_batch("stopped")
        self.hold_a_task(batch, "stopped")
        batch.send_signal(signal.SIGINT)
        self.assertEqual(batch.wait(), 130, self.file("stopped.log"))
        wait_until("end of all tasks", self.cluster.is_idle)
        self.assertEqual(command("squeue", "--noheader"), "", "tasks still wait or run")
        self.assertEqual(self.run_batch("stopped", "--resume"), 0, self.file("stopped.log"))
        self.expect_same_grades("stopped")

    def test_what_the_cluster_refuses_is_told(self):
        status = self.run_batch("refused", "--slurm-options", "--partition=nowhere")
        self.assertEqual(status, 3)
        self.assertIn("Invalid partition name specified", self.file("refused.log"))
        self.assertIn("--slurm-options", self.file("refused.log"))

    def test_without_munge(self):
        self.cluster.end("munged")
        try:
            self.assertEqual(self.run_batch("mute"), 3, self.file("mute.log"))
            self.assertIn("munged must run on this machine", self.file("mute.log"))
        finally:
            os.unlink(f"{FOLDER}/munge/socket")
            self.cluster.start_munged()
        self.assertEqual(self.run_batch("mute", "--resume"), 0, self.file("mute.log"))
        self.expect_same_grades("mute")


if __name__ == "__main__":
    cluster.in_namespaces()
    program = unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2, exit=False)
    if not program.result.wasSuccessful():
        cluster.logs()
        sys.exit(1)
