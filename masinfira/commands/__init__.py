"""Every command of `masinfira`, a module each, with `add` (its arguments) and `run`."""

from . import (
    bench,
    bot,
    calibrate,
    check,
    moves,
    new,
    pack,
    play,
    register,
    replay,
    scan,
    score,
    serve,
)

COMMANDS = (new, moves, play, bot, score, check, replay, calibrate, scan, register, pack, serve, bench)
