"""`masinfira pack`: the printed data of your own copy, checked, exported, imported."""

import argparse
from gettext import gettext as _

from engine.mini_express.pack import unread_tables
from engine.mini_express.pack.archive import export_pack, import_pack
from engine.sentences import N_, P_, Problem

from ..arguments import Subparsers, file_name
from ..console import Console
from ..saving import check_output


class NoFolder(Problem):
    """An import without a place to put it."""

    sentences = {
        "folder": N_("Say into which new folder the pack goes: masinfira pack import FILE --pack NEWFOLDER.")
    }


def add(commands: Subparsers, common: argparse.ArgumentParser) -> None:
    parser = commands.add_parser("pack", parents=[common], help=_("check, export or import printed data"))
    actions = parser.add_subparsers(dest="action", required=True, metavar="check | export | import")
    checking = actions.add_parser(
        "check", parents=[common], help=_("check the pack, list what is reconstructed")
    )
    checking.set_defaults(run=check)
    exporting = actions.add_parser("export", parents=[common], help=_("write the pack into one file"))
    exporting.add_argument("file", type=file_name, metavar="FILE", help=_("the file to write"))
    exporting.set_defaults(run=export)
    importing = actions.add_parser(
        "import", parents=[common], help=_("unpack an exported pack into --pack NEWFOLDER")
    )
    importing.add_argument("file", type=file_name, metavar="FILE", help=_("a file that pack export wrote"))
    importing.set_defaults(run=take_over, new_pack=True)


def check(args: argparse.Namespace, console: Console) -> None:
    entries = list(args.pack_data.reconstructed())
    unread = unread_tables(args.pack) if args.pack else []
    console.data(
        {
            "digest": args.pack_data.digest,
            "boards": sorted(args.pack_data.boards),
            "reconstructed": [entry._asdict() for entry in entries],
            "unread": unread,
        }
    )
    for entry in entries:
        certain = (
            console.texts.say("certain: {certain}", certain=list(entry.certain)) if entry.certain else ""
        )
        console.print(f"  {entry.file}:{entry.line}  {entry.what}  {certain}")
    kinds = {"digest": args.pack_data.digest, "boards": sorted(args.pack_data.boards)}
    console.say("The pack {digest} is sound: maps {boards}.", style="bold", **kinds)
    if unread:
        sentence = N_("Not read, since no table of a pack is called that: {files}.")
        console.say(sentence, style="yellow", files=", ".join(unread))
    reconstructed = P_("{n} entry is reconstructed.", "{n} entries are reconstructed.")
    console.say(reconstructed, n=len(entries))


def export(args: argparse.Namespace, console: Console) -> None:
    # What is there already, of whatever kind, export_pack refuses.
    check_output(args.file, args.pack_data, may_replace=bool)
    export_pack(args.pack_data, args.file)
    console.data({"file": str(args.file), "digest": args.pack_data.digest})
    console.say("The pack {digest} is in {file}.", digest=args.pack_data.digest, file=str(args.file))


def take_over(args: argparse.Namespace, console: Console) -> None:
    if args.pack is None:
        raise NoFolder("folder")
    pack = import_pack(args.file, args.pack)
    console.data({"folder": str(args.pack), "digest": pack.digest})
    console.say("The pack {digest} is in {file}.", digest=pack.digest, file=str(args.pack))
