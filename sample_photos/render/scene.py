"""The table in Blender: board, pieces, clutter, covers, lamps; `Scene.shoot` renders what the camera sees.

Needs Blender as a Python module (`bpy`); everything without it is in the other files.
"""

import random
from math import cos, pi, sin
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import bpy
import materials
import numpy as np
import pieces
from boards import THICKNESS, Bounds, Point
from camera import Camera
from card_art import EDGE, face_of
from layout import CARD_MM, MARKER_MM, SEAT_COLOURS, Spot
from mathutils import Matrix, Vector
from phone import kelvin
from pieces import MM
from PIL import Image
from share_art import SHARE_PRINT, share_print

COVER = "cover"
ROOM = "room"
SHARE_THICK = 1.8


class Scene:
    """One table as it stands for one photo: `table` of tables.toml; `folder` holds the prints.

    Where there is no `board`, `bounds` are a part of the bare table top.
    """

    def __init__(
        self, bounds: Bounds, table: dict[str, Any], folder: Path, seed: int, board: bool = True
    ) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.bounds, self.table, self.folder, self.rng = bounds, table, folder, random.Random(seed)
        self.spots: list[Spot] = []
        self.edge = materials.plain("edge", EDGE, 0.8)
        self._top()
        if board:
            self._board()
        self.trains = {company: self._train(company) for company in table["wood"]}
        for master in self.trains.values():
            pieces.place(master, 0, 0, -500)

    def _train(self, company: str) -> bpy.types.Object:
        """The master of a company's trains; a table of another game may have discs or cubes instead."""
        name, wood = f"train-{company}", self._train_wood(company)
        if "disc" in self.table:
            return pieces.cylinder(name, *self.table["disc"], wood)
        if "cube" in self.table:
            return pieces.cube(name, self.table["cube"], wood)
        return pieces.train(name, self.table["train"], wood)

    def _train_wood(self, company: str) -> bpy.types.Material:
        table = self.table
        return materials.wood(f"wood-{company}", table["wood"][company], table["grain"], table["gloss"])

    def _top(self) -> None:
        kind, tones, roughness = self.table["top"]
        make = {
            "planks": materials.planks,
            "cloth": materials.cloth,
            "stone": materials.stone,
            "check": materials.check,
        }[kind]
        material = make("top", tones, roughness)
        slab = pieces.prism("top", pieces.rounded(2400, 1700, 40), -40, 0)
        top = pieces.new_object("top", slab, (material, material))
        pieces.place(top, -20, -40, -THICKNESS, self.rng.gauss(0, 0.03))

    def _board(self) -> None:
        left, top, right, bottom = self.bounds
        self.lay("print", self.bounds, ((left + right) / 2, (top + bottom) / 2), 0.0)

    def lay(self, name: str, bounds: Bounds, middle: Point, angle: float) -> None:
        """A printed board, its picture in the folder: quite flat, for the truth needs the print in the plane z = 0."""
        left, top, right, bottom = bounds
        art = materials.printed(name, self.folder / f"{name}.png", self.table["print_gloss"])
        card = pieces.card(f"board-{name}", right - left, bottom - top, THICKNESS, art, self.edge, 2)
        pieces.place(card, *middle, -THICKNESS, angle)

    def put(self, spots: list[Spot]) -> None:
        """Stand the pieces of the game on the board."""
        self.spots = spots
        for n, spot in enumerate(spots):
            name = f"{spot.kind}-{n}"
            if spot.kind == "train":
                train = pieces.copy(self.trains[spot.look[0]], name)
                self.stand(train, *spot.at, 0.02 + spot.level, spot.angle, spot.toppled)
            else:
                pieces.place(self.piece(name, spot), *spot.at, 0.02 + spot.level, spot.angle)

    def piece(self, name: str, spot: Spot) -> bpy.types.Object:
        """A new piece that is no train."""
        if spot.kind == "tile":
            return self.tile(name, spot.look)
        if spot.kind == "spike":
            face = self.printed_face("spike", face_of("spike", spot.look, self.table))
            return pieces.card(name, *spot.size, CARD_MM, face, self.edge, 1.5)
        if spot.kind == "share":
            return self.share(name, spot.look[0])
        if spot.kind == "cube":
            return pieces.cube(name, spot.size[0], self._train_wood(spot.look[0]))
        tone = self.table.get("seats", SEAT_COLOURS)[spot.look[0]]
        paint = materials.wood("marker", tone, 0.06, 0.35)
        return pieces.cylinder(name, spot.size[0] / 2, MARKER_MM if spot.kind == "marker" else 5, paint)

    def printed_face(self, name: str, picture: Image.Image) -> bpy.types.Material:
        """The material of a printed card; the same name is the same print."""
        if name not in bpy.data.materials:
            picture.save(self.folder / f"{name}.png")
            materials.printed(name, self.folder / f"{name}.png", 0.47)
        return bpy.data.materials[name]

    @staticmethod
    def stand(train: bpy.types.Object, x: float, y: float, z: float, angle: float, toppled: bool) -> None:
        """A train on its wheels, or lying on its side with its middle at the same point."""
        if toppled:
            x, y = x + 6 * sin(angle), y - 6 * cos(angle)
            pieces.place(train, x, y, z + 4, angle, pi / 2)
        else:
            pieces.place(train, x, y, z, angle)

    def share(self, name: str, company: str) -> bpy.types.Object:
        """A share tile, 30×45 mm."""
        picture = share_print(company, self.table.get("share_print", SHARE_PRINT))
        face = self.printed_face(f"share-{company}", picture)
        return pieces.card(name, 30, 45, SHARE_THICK, face, self.edge, 2)

    def lay_share(self, name: str, company: str, at: Point, angle: float, lean: float) -> None:
        """A share tile on the table top, leaning with its upper end on something."""
        foot = 22.5 * sin(lean) - THICKNESS
        pieces.place(self.share(name, company), *at, foot, angle, lean)

    def tile(self, name: str, pair: tuple[str, ...]) -> bpy.types.Object:
        face = self.printed_face(f"tile-{'-'.join(pair)}", face_of("tile", pair, self.table))
        return pieces.card(
            name, 16, 16, CARD_MM, face, self.edge, 8 if self.table["tile"] == "round" else 1.2
        )

    def lamps(self, light: dict[str, Any]) -> None:
        """Area lamps (mm, kelvin, watts, size in mm) and the light that comes from all around."""
        world = bpy.data.worlds.new("room")
        world.use_nodes = True
        room = world.node_tree.nodes["Background"]
        room.inputs["Color"].default_value = (*kelvin(light["room"][0]), 1)
        room.inputs["Strength"].default_value = light["room"][1]
        bpy.context.scene.world, world.lightgroup = world, ROOM
        for n, (x, y, z, temperature, watts, size) in enumerate(light["lamps"]):
            lamp = bpy.data.lights.new(f"lamp-{n}", "AREA")
            lamp.color, lamp.energy, lamp.size, lamp.shape = kelvin(temperature), watts, size * MM, "DISK"
            thing = bpy.data.objects.new(f"lamp-{n}", lamp)
            thing.location = Vector((x, -y, z)) * MM
            thing.rotation_euler = (-thing.location).to_track_quat("-Z", "Y").to_euler()
            thing.lightgroup = thing.name
            bpy.context.scene.collection.objects.link(thing)

    def shoot(self, camera: Camera, samples: int) -> np.ndarray:
        """Linear light (height, width, 3) at the camera, denoised."""
        scene = self._ready(camera, samples)
        with TemporaryDirectory() as folder:
            scene.render.filepath = f"{folder}/light.exr"
            bpy.ops.render.render(write_still=True)
            return _light(scene.render.filepath, camera)

    def shoot_by_lamp(self, camera: Camera, samples: int) -> list[np.ndarray]:
        """The same apart for each lamp, and last for the room: their sum under other weights is the same scene
        under stronger, weaker and other lamps (light groups)."""
        scene, layer = self._ready(camera, samples), bpy.context.view_layer
        names = [thing.name for thing in scene.objects if thing.type == "LIGHT"] + [ROOM]
        for name in names:
            layer.lightgroups.add(name=name)
        scene.cycles.use_denoising, layer.cycles.denoising_store_passes, scene.use_nodes = False, True, True
        with TemporaryDirectory() as folder:
            self._denoised_apart(scene.node_tree, names, folder)
            bpy.ops.render.render()
            return [_light(f"{folder}/{name}0001.exr", camera) for name in names]

    @staticmethod
    def _denoised_apart(tree: bpy.types.NodeTree, names: list[str], folder: str) -> None:
        """Write each light group to a file of its own, for Cycles denoises their sum only."""
        tree.nodes.clear()
        layers, out = tree.nodes.new("CompositorNodeRLayers"), tree.nodes.new("CompositorNodeOutputFile")
        out.base_path, out.format.file_format = folder, "OPEN_EXR"
        out.file_slots.clear()
        for name in names:
            clean = tree.nodes.new("CompositorNodeDenoise")
            clean.prefilter, clean.quality = "FAST", "FAST"
            tree.links.new(layers.outputs[f"Combined_{name}"], clean.inputs["Image"])
            for guide in ("Albedo", "Normal"):
                tree.links.new(layers.outputs[f"Denoising {guide}"], clean.inputs[guide])
            out.file_slots.new(name)
            tree.links.new(clean.outputs[0], out.inputs[name])

    def _ready(self, camera: Camera, samples: int) -> bpy.types.Scene:
        """Blender's scene, set to render what the camera sees."""
        scene = bpy.context.scene
        scene.camera = self._camera(camera)
        scene.render.engine = "CYCLES"
        cycles = scene.cycles
        cycles.samples, cycles.adaptive_min_samples, cycles.adaptive_threshold = (
            samples,
            min(12, samples),
            0.02,
        )
        cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
        cycles.denoising_quality, cycles.denoising_prefilter = "FAST", "FAST"
        cycles.max_bounces, cycles.diffuse_bounces = 4, 2
        cycles.seed = self.rng.randrange(10**6)
        cycles.caustics_reflective = cycles.caustics_refractive = False
        scene.render.resolution_x, scene.render.resolution_y = camera.size
        scene.render.image_settings.file_format = "OPEN_EXR"
        return scene

    def _camera(self, camera: Camera) -> bpy.types.Object:
        """A phone's lens: sensor 9.8 mm wide, f/1.8, focused on the middle of the picture."""
        lens = bpy.data.cameras.new("phone")
        lens.sensor_width = 9.8
        lens.lens = lens.sensor_width * camera.focal / max(camera.size)
        lens.clip_start, lens.dof.use_dof, lens.dof.aperture_fstop = 0.01, True, 1.8
        down = -camera.axes[2, 2]
        lens.dof.focus_distance = camera.position[2] / down * MM
        thing = bpy.data.objects.new("phone", lens)
        pose = Matrix((camera.axes * np.array([[1], [-1], [-1]])).T.tolist()).to_4x4()
        pose.translation = Vector(camera.position) * MM
        thing.matrix_world = pose
        bpy.context.scene.collection.objects.link(thing)
        return thing

    def hidden_share(self, camera: Camera, points: list[Point]) -> float:
        """The share of some points of the print that is outside the picture or behind a cover."""
        bpy.context.view_layer.update()
        graph = bpy.context.evaluated_depsgraph_get()
        return sum(self._is_hidden(camera, graph, point) for point in points) / len(points)

    @staticmethod
    def _is_hidden(camera: Camera, graph: bpy.types.Depsgraph, point: Point) -> bool:
        x, y = camera.on_board(point)
        if not (0 <= x < camera.size[0] and 0 <= y < camera.size[1]):
            return True
        eye = Vector(camera.position) * MM
        way = Vector((point[0], -point[1], 0)) * MM - eye
        cast = bpy.context.scene.ray_cast(graph, eye, way.normalized(), distance=way.length - 0.5 * MM)
        hit, thing = cast[0], cast[4]
        return bool(hit and thing.get(COVER))


def _light(file: str, camera: Camera) -> np.ndarray:
    """The light (height, width, 3) that was written to a file, the first row on top."""
    picture = bpy.data.images.load(file)
    values = np.empty(camera.size[0] * camera.size[1] * 4, np.float32)
    picture.pixels.foreach_get(values)
    return values.reshape(camera.size[1], camera.size[0], 4)[::-1, :, :3].astype(np.float64)
