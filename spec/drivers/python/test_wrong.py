"""The faults of wrong/ fit this port. That rows catch them is tested by packages/conformance."""

from __future__ import annotations

import json
import subprocess
import sys
import unittest

from test_driver import HERE
from wrong import all_faults, edited


class WrongDrivers(unittest.TestCase):
    def test_each_fault_fits_and_has_a_name_of_its_own(self) -> None:
        faults = all_faults()
        for fault in faults:
            with self.subTest(fault.name):
                for module, source in edited(fault).items():
                    compile(source, module, "exec")
        self.assertEqual(len({fault.name for fault in faults}), len(faults))

    def test_an_edit_that_does_not_fit_is_told(self) -> None:
        fault = all_faults()[0]._replace(edits=[("decide", "no such words", "")])
        with self.assertRaisesRegex(ValueError, "no such words.* stands 0 times in decide.py"):
            edited(fault)

    def test_list_and_a_name_that_there_is_not(self) -> None:
        def wrong(*args: str) -> "subprocess.CompletedProcess[str]":
            return subprocess.run([sys.executable, "wrong.py", *args], cwd=HERE, capture_output=True, text=True)

        self.assertEqual(len(json.loads(wrong("--list").stdout)), len(all_faults()))
        unknown = wrong("no-such-fault")
        self.assertEqual(unknown.returncode, 1)
        self.assertIn("no-such-fault", unknown.stderr)


if __name__ == "__main__":
    unittest.main()
