"""Ctrl-C and `kill` end a command wherever it is."""

import signal
import subprocess
import sys

import pytest

from masinfira.__main__ import INTERRUPTED, KILLED

# Python drops what is raised in a callback such as this one, and loading modules calls very many.
IN_A_CALLBACK = """
import os, signal, sys, time, weakref
from masinfira import __main__, main

# Whoever runs the tests in the background ignores it.
signal.signal(signal.SIGINT, signal.default_int_handler)

class Module: pass

def run(argv):
    module = Module()
    known = weakref.ref(module, lambda _: os.kill(os.getpid(), int(argv[0])))
    del module
    time.sleep(60)

main.run = run
__main__.main()
"""


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, INTERRUPTED), (signal.SIGTERM, KILLED)])
def test_a_signal_in_a_callback_ends_it_as_well(sent: signal.Signals, code: int) -> None:
    command = [sys.executable, "-c", IN_A_CALLBACK, str(int(sent))]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=30)
    assert (ended.returncode, ended.stderr) == (code, "")
