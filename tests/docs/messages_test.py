#!/usr/bin/env python3
"""Tests that messages.golden lists the sentences of messages and hints as the sources have them.

With WARPCHECK_UPDATE_GOLDEN=1 the file is written, not compared. Whoever changes a sentence reads it there once more,
beside all the others that a student may get.
"""
import os
import pathlib
import unittest

import messages

GOLDEN = pathlib.Path(__file__).with_name("messages.golden")
UPDATE = os.environ.get("WARPCHECK_UPDATE_GOLDEN") == "1"


class Messages(unittest.TestCase):
    maxDiff = None

    def test_are_listed(self):
        text = messages.list_of_messages()
        if UPDATE:
            GOLDEN.write_text(text, "utf-8")
        listed = GOLDEN.read_text("utf-8") if GOLDEN.exists() else ""
        self.assertEqual(text.splitlines(), listed.splitlines(),
                         "run the test with WARPCHECK_UPDATE_GOLDEN=1 and read what has changed")

    def test_name_each_kind(self):
        listed = GOLDEN.read_text("utf-8").splitlines()
        for kind in messages.KINDS.values():
            self.assertIn(f"## {kind}", listed)

    def test_are_read_out_of_sources(self):
        source = messages.Source.of_text("""
            Finding Made(int n) {
              // "a comment is no message"
              return {.kind = FindingKind::kLeak,
                      .message = fmt::format("{} allocates {} and "
                                             "frees nothing", call, Counted(n, "byte")),
                      .hint = "call cudaFree() once"};
            }
            void Check() { WARPCHECK_CHECK(n > 0, "not for people"); }
            """)
        self.assertEqual([(one.kinds, one.text, one.is_hint) for one in source.sentences()],
                         [(("leak",), "cudaMemcpy allocates 4,096 bytes and frees nothing", False),
                          (("leak",), "call cudaFree() once", True)])


if __name__ == "__main__":
    unittest.main()
