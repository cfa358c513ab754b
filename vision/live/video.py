"""Frames with their time, from a camera or from a video file."""

import os
import re
import time
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import cv2
import numpy as np

from calibration.photo import PIXELS_AT_MOST, Photo, PhotoProblem, Pixels, in_colour
from engine.files import UNREAD, read_bytes, reading
from engine.sentences import N_, Problem

Frames = Iterator[tuple[float, Pixels]]
"""(seconds, frame) one after the other; a frame is (height, width, 3) uint8 BGR."""

WIDTH, HEIGHT = 1280, 720
SHORT_SIDE_AT_LEAST = 480
# OpenCV reads the hundreds of a number as the kind of driver, and falls over a negative one.
CAMERAS = range(100)
# What MP4 and MOV (but no HEIC or AVIF), AVI, and MKV and WebM files begin with.
VIDEO = re.compile(
    rb"....(ftyp(?!hei|hev|mif|msf|avi)|moov|mdat|wide|free|skip)|RIFF....AVI |\x1a\x45\xdf\xa3", re.S
)
# FFmpeg prints nothing of its own, and a playlist that calls itself a video makes it fetch nothing.
# OpenCV looks at this once, when a video is opened or written for the first time.
os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"
os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = "protocol_whitelist;file"


class VideoProblem(Problem):
    """A camera or a video that gives no pictures to work with."""

    sentences = {
        "no_number": N_("There is no camera {number}: cameras are numbered from 0 to {last}."),
        "no_camera": N_("Camera {number} cannot be opened: check that it is plugged in and not in use."),
        "camera_stopped": N_("Camera {number} gives no more pictures: check its cable and start again."),
        **UNREAD,
        "empty": N_("{file} is empty: check that you named the right one."),
        "not_video": N_("{file} is not a video this program can read: use MP4, AVI, MKV or WebM."),
        "no_film": N_(
            "{file} is damaged, cut short or too short to follow: copy it once more, film longer, or save it as MP4 "
            "(H.264)."
        ),
        "too_small": N_(
            "The pictures are only {width} × {height} pixels: at least {least} on the short side are needed."
        ),
        "too_large": N_("The pictures have too many pixels: at most {limit} megapixels can be followed."),
        "colourless": N_(
            "The pictures have no colours, and by them the pieces are known: film without a black-and-white filter."
        ),
    }


def camera_frames(number: int) -> Frames:
    """What a camera sees from now on, at 1280 × 720 where it can. Raises VideoProblem."""
    if number not in CAMERAS:
        raise VideoProblem("no_number", number=number, last=CAMERAS[-1])
    capture = _opened(number, cv2.CAP_ANY)
    if capture is None:
        raise VideoProblem("no_camera", number=number)
    for what, value in (
        (cv2.CAP_PROP_FRAME_WIDTH, WIDTH),
        (cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT),
        (cv2.CAP_PROP_BUFFERSIZE, 1),
    ):
        capture.set(what, value)
    try:
        for frame in _frames(capture):
            yield time.monotonic(), frame
    finally:
        capture.release()
    raise VideoProblem("camera_stopped", number=number)


def video_frames(file: Path) -> Frames:
    """Every frame of a video file, its time counted from the start. Raises VideoProblem."""
    no_frames = "no_film" if VIDEO.match(_beginning(file)) else "not_video"
    capture = _opened(str(file.resolve()), cv2.CAP_FFMPEG)
    if capture is None:
        raise VideoProblem(no_frames, file=str(file))
    rate = capture.get(cv2.CAP_PROP_FPS)
    step = 1 / rate if 1 <= rate <= 1000 else 1 / 30
    try:
        frames = _frames(capture)
        begin = list(islice(frames, 2))
        # Whatever is named like a picture FFmpeg opens as a film: of one frame, or of none if it is no picture.
        if len(begin) < 2:
            raise VideoProblem(no_frames, file=str(file))
        for nth, frame in enumerate(chain(begin, frames)):
            yield nth * step, frame
    finally:
        capture.release()


def check_colour(frame: Pixels) -> None:
    """Raises VideoProblem where the board is filmed in black and white."""
    try:
        in_colour(Photo(frame))
    except PhotoProblem:
        raise VideoProblem("colourless") from None


def _beginning(file: Path) -> bytes:
    """The first bytes of a video file. Raises VideoProblem."""
    with reading(str(file), VideoProblem):
        if file.exists() and not (file.is_file() or file.is_dir()):
            # To open a pipe would take until somebody writes into it.
            raise VideoProblem("not_video", file=str(file))
        begins = read_bytes(file, 16)
    if not begins:
        raise VideoProblem("empty", file=str(file))
    return begins


def _opened(source: int | str, backend: int) -> cv2.VideoCapture | None:
    """A capture with this source open, or None; cv2's own messages are kept still meanwhile."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        capture = cv2.VideoCapture()
        return capture if capture.open(source, backend) else None
    except cv2.error:
        return None
    finally:
        cv2.utils.logging.setLogLevel(level)


def _frames(capture: cv2.VideoCapture) -> Iterator[Pixels]:
    """All frames until there are no more. Raises VideoProblem for frames of a size that cannot be used."""
    width, height = (int(capture.get(p)) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
    if width * height > PIXELS_AT_MOST:
        raise VideoProblem("too_large", limit=PIXELS_AT_MOST // 10**6)
    while True:
        there, frame = capture.read()
        if not there:
            return
        if min(frame.shape[:2]) < SHORT_SIDE_AT_LEAST:
            height, width = frame.shape[:2]
            raise VideoProblem("too_small", width=width, height=height, least=SHORT_SIDE_AT_LEAST)
        yield frame.astype(np.uint8, copy=False)
