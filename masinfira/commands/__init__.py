"""Every command of `masinfira`, a module each, with `add` (its arguments) and `run`."""

from . import (
    bench,
    bot,
    calibrate,
    check,
    demo,
    moves,
    new,
    pack,
    play,
    register,
    replay,
    scan,
    score,
    serve,
    watch,
)

COMMANDS = (
    demo,
    new,
    moves,
    play,
    bot,
    score,
    check,
    replay,
    calibrate,
    scan,
    watch,
    register,
    pack,
    serve,
    bench,
)
