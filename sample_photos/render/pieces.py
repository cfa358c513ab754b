"""Meshes of everything on the table. Lengths in mm here; the scene itself is in metres (`MM`)."""

import random
from collections.abc import Sequence
from itertools import pairwise
from math import cos, pi, sin

import bmesh
import bpy
from boards import Point

MM = 0.001
Object = bpy.types.Object
Material = bpy.types.Material


def new_object(name: str, mesh: bpy.types.Mesh, materials: Sequence[Material]) -> Object:
    for material in materials:
        if material.name not in mesh.materials:
            mesh.materials.append(material)
    made = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(made)
    return made


def place(thing: Object, x: float, y: float, z: float = 0.0, angle: float = 0.0, lean: float = 0.0) -> Object:
    """Put it at a point of the board frame (y south), turned by `angle` there; `lean` tips it over."""
    thing.location = (x * MM, -y * MM, z * MM)
    thing.rotation_euler = (lean, 0, -angle)
    return thing


def bevel(thing: Object, width: float, segments: int = 2) -> Object:
    made = thing.modifiers.new("edge", "BEVEL")
    made.width, made.segments, made.limit_method, made.angle_limit = width * MM, segments, "ANGLE", 0.5
    for face in thing.data.polygons:
        face.use_smooth = True
    made.harden_normals = True
    return thing


def prism(name: str, outline: Sequence[Point], low: float, high: float) -> bpy.types.Mesh:
    """A mesh over an outline (x, y in mm, counterclockwise), z from low to high; the top has slot 0."""
    mesh, bm = bpy.data.meshes.new(name), bmesh.new()
    xs, ys = [p[0] for p in outline], [p[1] for p in outline]
    bottom = [bm.verts.new((x * MM, y * MM, low * MM)) for x, y in outline]
    top = [bm.verts.new((x * MM, y * MM, high * MM)) for x, y in outline]
    face, uv = bm.faces.new(top), bm.loops.layers.uv.new()
    for loop, (x, y) in zip(face.loops, outline, strict=True):
        loop[uv].uv = (x - min(xs)) / (max(xs) - min(xs)), (y - min(ys)) / (max(ys) - min(ys))
    bm.faces.new(bottom[::-1]).material_index = 1
    for i in range(len(outline)):
        j = (i + 1) % len(outline)
        bm.faces.new((bottom[i], bottom[j], top[j], top[i])).material_index = 1
    bm.to_mesh(mesh)
    bm.free()
    return mesh


def rounded(width: float, height: float, radius: float) -> list[Point]:
    """A rectangle with round corners around (0, 0), counterclockwise."""
    middles = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    return [
        (sx * (width / 2 - radius) + radius * cos(a), sy * (height / 2 - radius) + radius * sin(a))
        for quarter, (sx, sy) in enumerate(middles)
        for a in (quarter * pi / 2 + step * pi / 8 for step in range(5))
    ]


def circle(radius: float, steps: int = 48) -> list[Point]:
    return [(radius * cos(2 * pi * k / steps), radius * sin(2 * pi * k / steps)) for k in range(steps)]


def card(
    name: str, width: float, height: float, thick: float, top: Material, edge: Material, radius: float = 1.0
) -> Object:
    """A piece of cardboard lying on z = 0 of its own frame."""
    return new_object(name, prism(name, rounded(width, height, radius), 0, thick), (top, edge))


def train(name: str, outline: Sequence[Point], material: Material) -> Object:
    """A wooden train standing on its wheels: the outline (along, up) sawn out of a board 8 mm thick."""
    mesh, bm = bpy.data.meshes.new(name), bmesh.new()
    sides = [[bm.verts.new((x * MM, y * MM, z * MM)) for x, z in outline] for y in (-4, 4)]
    bm.faces.new(sides[0])
    bm.faces.new(sides[1][::-1])
    for i in range(len(sides[0])):
        j = (i + 1) % len(sides[0])
        bm.faces.new((sides[0][j], sides[0][i], sides[1][i], sides[1][j]))
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    bm.to_mesh(mesh)
    bm.free()
    return bevel(new_object(name, mesh, (material,)), 0.45)


def copy(thing: Object, name: str) -> Object:
    made = thing.copy()
    made.name = name
    bpy.context.scene.collection.objects.link(made)
    return made


def cylinder(name: str, radius: float, height: float, material: Material) -> Object:
    return bevel(new_object(name, prism(name, circle(radius), 0, height), (material, material)), 0.6, 3)


def cube(name: str, side: float, material: Material) -> Object:
    return bevel(
        new_object(name, prism(name, rounded(side, side, side / 8), 0, side), (material, material)),
        side / 9,
        3,
    )


def mug(name: str, outer: Material, drink: Material) -> list[Object]:
    """A mug 80 mm wide and 95 mm high, nearly full, with its handle."""
    wall = prism(name, circle(40, 64), 0, 95)
    body = new_object(name, wall, (drink, outer))
    ring = bpy.data.meshes.new(name + "-rim")
    bm = bmesh.new()
    inner, out = (
        [bm.verts.new((r * cos(a) * MM, r * sin(a) * MM, 103 * MM)) for a in _turn(64)] for r in (36.5, 40)
    )
    low_in, low_out = (
        [bm.verts.new((r * cos(a) * MM, r * sin(a) * MM, 94 * MM)) for a in _turn(64)] for r in (36.5, 40)
    )
    for i in range(64):
        j = (i + 1) % 64
        bm.faces.new((inner[i], out[i], out[j], inner[j]))
        bm.faces.new((low_out[i], low_out[j], out[j], out[i]))
        bm.faces.new((low_in[j], low_in[i], inner[i], inner[j]))
    bm.to_mesh(ring)
    bm.free()
    rim = new_object(name + "-rim", ring, (outer,))
    bpy.ops.mesh.primitive_torus_add(major_radius=26 * MM, minor_radius=5 * MM, rotation=(pi / 2, 0, 0))
    handle = bpy.context.object
    handle.data.materials.append(outer)
    handle.location = (46 * MM, 0, 52 * MM)
    for part in (rim, handle):
        part.parent = body
    return [body, rim, handle]


def _turn(steps: int) -> list[float]:
    return [2 * pi * k / steps for k in range(steps)]


def hand(
    name: str, material: Material, sleeve: Material, rng: random.Random, pose: str = "reach"
) -> list[Object]:
    """A right hand over the board along -x, its forearm towards +x; fingertips near (0, 0, 12).

    `pose`: "reach" (to set a piece down), "point" (with the forefinger) or "flat".
    """
    family = bpy.data.metaballs.new(name)
    family.resolution = 0.004
    family.threshold = 0.08
    blob = bpy.data.objects.new(name, family)
    bpy.context.scene.collection.objects.link(blob)
    for points in _fingers(rng, pose):
        _sausage(family, points)
    for k in range(9):
        _ball(family, 95 + 6 * k, 0, 42 + k, 34 - 0.4 * k)
        _ball(family, 95 + 6 * k, 20, 40 + k, 30 - 1.2 * k)
        _ball(family, 95 + 6 * k, -20, 40 + k, 30 - 1.2 * k)
    for k in range(12):
        _ball(family, 150 + 14 * k, 0, 52 + 3 * k, 36)
    bpy.context.view_layer.update()
    solid = bpy.data.meshes.new_from_object(blob.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    bpy.data.objects.remove(blob)
    made = new_object(name, solid, (material,))
    for face in solid.polygons:
        face.use_smooth = True
    cuff = cylinder(name + "-sleeve", 46, 420, sleeve)
    cuff.parent, cuff.location, cuff.rotation_euler = made, (225 * MM, 0, 66 * MM), (0, pi / 2 - 0.2, 0)
    return [made, cuff]


Knuckles = list[tuple[float, float, float, float]]
"""Points (x, y, z, radius) from the palm to the tip of a finger."""

FINGERS = (-27, -9, 9, 25)
THUMBS: dict[str, Knuckles] = {
    "reach": [(120, 32, 40, 19), (75, 52, 38, 17), (38, 50, 26, 15), (14, 38, 15, 13)],
    "point": [(120, 32, 40, 19), (82, 46, 34, 16), (60, 30, 26, 14)],
    "flat": [(120, 32, 40, 19), (80, 64, 32, 17), (48, 84, 20, 13)],
}


def _fingers(rng: random.Random, pose: str) -> list[Knuckles]:
    """The four fingers, the little one first, and the thumb."""
    bent = rng.uniform(0.8, 1.2)
    if pose == "reach":
        fingers = [_bent(y, bent) for y in FINGERS]
    elif pose == "point":
        fingers = [*(_curled(y) for y in FINGERS[:3]), _stretched(FINGERS[3])]
    else:
        fingers = [_stretched(y) for y in FINGERS]
    return [*fingers, THUMBS[pose]]


def _bent(y: float, bent: float) -> Knuckles:
    return [
        (95, y, 45, 17),
        (55, 1.25 * y, 58 * bent, 15),
        (22 + abs(y - 6) * 0.5, 1.2 * y, 40 * bent, 14),
        (4 + abs(y - 6) * 0.7, 1.1 * y, 14, 12.5),
    ]


def _stretched(y: float) -> Knuckles:
    return [(95, y, 43, 17), (42, 1.4 * y, 36, 15), (-12 + abs(y - 3), 1.7 * y, 16, 12.5)]


def _curled(y: float) -> Knuckles:
    return [(95, y, 45, 17), (60, 1.1 * y, 52, 16), (52, y, 28, 15), (76, y, 22, 14)]


def _sausage(family: bpy.types.MetaBall, points: Knuckles) -> None:
    for a, b in pairwise(points):
        for k in range(9):
            x, y, z, r = (p + (q - p) * k / 8 for p, q in zip(a, b, strict=True))
            _ball(family, x, y, z, r)


def _ball(family: bpy.types.MetaBall, x: float, y: float, z: float, radius: float) -> None:
    ball = family.elements.new()
    ball.co, ball.radius = (x * MM, y * MM, z * MM), radius * MM
