"""Every command of `masinfira`, a module each, with `add` (its arguments) and `run`."""

from . import (
    bench,
    bot,
    calibrate,
    check,
    demo,
    learn,
    moves,
    new,
    pack,
    play,
    register,
    replay,
    scan,
    score,
    serve,
    set,
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
    set,
    learn,
    register,
    pack,
    serve,
    bench,
)
