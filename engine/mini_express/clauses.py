"""The rules clause by clause, so that a "(R5.4)" in a message can be looked up in every language.

A summary for reference, which does not replace the printed rulebooks. "(ruling)" marks what they leave open or tell
differently; `docs/rulings.md` has the reasons.
"""

from typing import Final

from ..sentences import N_, Problem

CHAPTERS: Final[dict[str, dict[str, str]]] = {
    N_("Components"): {
        "R1.1": N_(
            "Each company has 25 trains and 9 shares. There are 32 demand tiles, 14 tiles of Mašinfíra (12 "
            "with two numbers: the top one moves the target city marker, the bottom one the company marker; 2 "
            "refresh tiles) and 5 player colours with 5 influence markers each."
        ),
        "R1.2": N_(
            "For each company, the trains on the map, in the reservoir, in the supply and on the Golden Spike "
            "tile always make 25, and the shares in the offer, held by players, set aside and out of the game "
            "always make 9. A train on the map stays there."
        ),
        "R1.2b": N_(
            "Every connected piece of a company's track includes one of its starts: its start city, San "
            "Francisco (R10.3) or its port (R11.2)."
        ),
        "R1.3": N_(
            "Each hex of the map is landscape, a city or a port, and takes at most one train of each company. "
            "Landscape takes any number of companies, a city as many as its capacity: gold rim 3, silver 2, "
            "black 1."
        ),
        "R1.4": N_(
            "Each map has 36 cities: 4 start cities without demand tile or number, and 32 numbered 1–32, down "
            "each column, columns from east to west."
        ),
        "R1.5": N_(
            "Starts in the USA: brown Baltimore, gray Wilmington, orange Erie, white Tallahassee; city 1 is "
            "Augusta. In Europe: brown Warsaw, gray London, orange Barcelona, white Belgrade; city 1 is Kiev."
        ),
        "R1.6": N_("Option for a first game: all cities have capacity 2."),
    },
    N_("Set-up for 3–5 players"): {
        "R2.1": N_(
            "Each offer gets 6 shares; the other 3 are set aside (with 3 players 2 are set aside and 1 goes "
            "back to the box)."
        ),
        "R2.2": N_(
            "Each company has one train on its start city, value 0, 4 trains in its reservoir and 20 in its "
            "supply."
        ),
        "R2.3": N_("Every city but the start cities gets a random demand tile."),
        "R2.4": N_(
            "The first shares come from those set aside: each player takes one, clockwise from the start "
            "player, then a second one in reverse order from the last player. Your two are of different "
            "companies, and no two players have the same pair."
        ),
        "R2.5": N_(
            "Each share still set aside raises its company's value by 1 (4 players) or 2 (3 or 5 players) and "
            "leaves the game."
        ),
        "R2.6": N_("Everybody has influence 1 in every company."),
    },
    N_("A turn, and the end"): {
        "R3.1": N_(
            "You do exactly one action: take a share or build track. You pass only if no action is legal "
            "(ruling)."
        ),
        "R3.2": N_(
            "An offer is exhausted when it has no shares left. It also is when the company's supply is empty: "
            "then the shares left in the offer leave the game at once. The company can still build with the "
            "trains in its reservoir."
        ),
        "R3.3": N_(
            "Two exhausted companies after a turn start the end: play on until all have had equally many "
            "turns. The last is the player to the right of the start player; if that player starts the end, "
            "the game is over at once."
        ),
    },
    N_("Taking a share"): {
        "R4.1": N_(
            "Pick a company with a share in its offer and pay as much influence in it as its reservoir has "
            "trains (nothing if it is empty). With too little influence you cannot."
        ),
        "R4.2": N_(
            "You get the share; then up to 3 trains go from the supply to the reservoir, which never holds "
            "more than 5."
        ),
    },
    N_("Building track"): {
        "R5.0": N_(
            "The steps go in the order below. An action that starts the end is completed first (ruling)."
        ),
        "R5.1": N_(
            "You may build for any company, whoever holds its shares, to a city within reach where it has no "
            "train yet, which has room under its capacity and which has a demand tile (the tile: ruling)."
        ),
        "R5.2": N_(
            "A route starts on a hex beside the company's track and runs from hex to hex over landscape only, "
            "not through other cities. It takes one train from the reservoir for each hex, the city included. "
            "Routes over the same new hexes are the same."
        ),
        "R5.3": N_(
            "It must be a shortest route from the company's whole network to that city; among equals you "
            "choose. A city whose shortest route takes more trains than the reservoir has is out of reach."
        ),
        "R5.4": N_(
            "Compensation: on each hex of the route, the city included, every other company with a train there "
            "moves 1 train from its supply to its reservoir, which never holds more than 5."
        ),
        "R5.5": N_("The company's value rises by 1 for each landscape hex of the route, to 15 at most."),
        "R5.6": N_(
            "The city's tile gives influence: two companies, +1 in each; the same one twice, +2; a company and "
            "the wild symbol, +1 in it and +1 in another one that you choose. Influence has no upper limit "
            "(ruling)."
        ),
        "R5.7": N_("If the city is full now, its demand tile leaves the game."),
        "R5.8": N_("In Europe without the Ports, ports are ordinary landscape."),
    },
    N_("Scoring"): {
        "R6.1": N_(
            "For each company, the players with most influence use the column 1st; if they are tied, nobody "
            "uses 2nd. After a single first, all who are tied for second use 2nd; the rest use Other. With "
            "influence 0 its shares are worth 0 to you."
        ),
        "R6.2": N_(
            "A share is worth what the value table shows in the row of the company's value and in your column. "
            "Your score is the sum over your shares."
        ),
        "R6.3": N_(
            "Most points win; if tied, fewer shares, then the earlier place in turn order from the start "
            "player."
        ),
        "R6.4": N_(
            "Example: values 12, 5, 7, 9 for brown, gray, orange, white; a player who is 4th, 3rd, 2nd, 1st "
            "and holds 1, 1, 1, 2 shares scores 4 + 2 + 5 + 8 + 8 = 27."
        ),
    },
    N_("Solo: set-up"): {
        "R7.1": N_(
            "As for 3–5 players (R2.1 to R2.6), but with 5 shares in each offer, 2 set aside and 2 back to the "
            "box. You start and take 2 different shares of those set aside; no value changes."
        ),
        "R7.2": N_(
            "Mašinfíra has influence 1 everywhere. Its target city marker starts off the map, so that its "
            "first step leads to city 1; the Korean rulebook starts it on city 1, which can be chosen for a "
            "game (ruling). Its company marker starts on brown."
        ),
        "R7.3": N_(
            "Twice: draw a numbered tile, move the company marker by its bottom number (brown → gray → orange "
            "→ white → brown), and Mašinfíra takes a share of that company from those set aside. Both tiles "
            "stay out of the bag, then the 2 refresh tiles go in. Where too few are set aside it takes what is "
            "there; the rest leaves the game (ruling)."
        ),
    },
    N_("Mašinfíra's turn"): {
        "R7.4": N_(
            "Draw a tile. If it is a refresh tile, put it and all drawn tiles (those of the set-up too) back "
            "and draw again."
        ),
        "R7.5": N_(
            "Move the company marker by the bottom number and the target marker by the top number, each step "
            "to the next higher city that still has a tile. On the last one it stays; if none is ahead, too "
            "(ruling)."
        ),
        "R7.6": N_(
            "Reservoir 0–2: Mašinfíra takes a share for free, and trains are added as in R4.2. If the offer "
            "has none, it draws again, moves only the company marker (after a refresh too), and goes on with "
            "the new company."
        ),
        "R7.7": N_(
            "Reservoir 3–5: it builds to the legal city nearest to the target, counted in steps over landscape "
            "whatever trains are there (the target itself is 0). If tied: shorter track, more companies "
            "present, higher number. No way at all is farther than any distance (ruling)."
        ),
        "R7.8": N_(
            "Of the shortest routes it takes the one whose start hex (with a train of the company, where the "
            "route leaves) is farthest east, then farthest north (ruling). From the same start hex it goes "
            "clockwise around the area of all candidates: farthest left in the direction of travel, with the "
            "enclosed area on its right. A route that touches several start hexes counts from the first in "
            "that order."
        ),
        "R7.9": N_(
            "Compensation, value and influence as for a player, but a tile with the wild symbol gives +1 in "
            "all four companies and no more."
        ),
        "R7.10": N_(
            "No legal city: it draws again as in R7.6. Each turn begins with one draw that moves both markers; "
            "if no company could act then, Mašinfíra passes (ruling)."
        ),
    },
    N_("Solo: the end"): {
        "R7.11": N_(
            "Two exhausted companies end the game: at once if Mašinfíra brings it about, after one more turn "
            "of Mašinfíra if you do."
        ),
        "R7.12": N_(
            "Scoring as in R6.1 and R6.2 without the column 1st: more influence uses 2nd, less uses Other, "
            "equal both use 2nd, and 0 is worth nothing. Mašinfíra wins a tie on points."
        ),
    },
    N_("Difficulties, each with all those before it"): {
        "R7.13": N_("Passenger (easy): as above."),
        "R7.14": N_(
            "Tourist (normal): a share taken by Mašinfíra fills the reservoir to 3 instead of adding 3. When "
            "it builds, a company with 2 or more trains in its reservoir gets no compensation, checked hex by "
            "hex. The game ends at once, without an action, when its target marker reaches city 32 (how both "
            "are meant: ruling)."
        ),
        "R7.15": N_(
            "Trainspotter (hard): in R7.3 Mašinfíra takes 2 shares each time. At scoring a company in which "
            "you have influence 3 or less is worth 0 to you."
        ),
        "R7.16": N_(
            "Conductor (brutal): a share that Mašinfíra takes in its turn (not in the set-up) also gives it +1 "
            "influence there. At scoring a company in which you have less influence than Mašinfíra is worth 0 "
            "to you."
        ),
        "R7.17": N_("Railwayman (ultimate): Mašinfíra starts with influence 2 everywhere, you with 0."),
    },
    N_("Two players and Mašinfíra"): {
        "R8.1": N_(
            "6 shares in each offer, 2 set aside, 1 back to the box. First shares as in R2.4; Mašinfíra gets "
            "what is left, and no value changes."
        ),
        "R8.2": N_(
            "Of Mašinfíra's set-up only R7.2 is done; all 14 tiles are in the bag from the start (refresh "
            "tiles: ruling)."
        ),
        "R8.3": N_(
            "Order: start player, other player, Mašinfíra, which plays by R7.4 to R7.10 on the easy level. All "
            "get equally many turns; if Mašinfíra starts the end, it comes at once. Scoring as in R6.1 to R6.3 "
            "with Mašinfíra as third player."
        ),
    },
    N_("Two experts"): {
        "R9.1": N_(
            "5 shares in each offer, 2 set aside, 2 back to the box. The start player takes both shares set "
            "aside of one company and names a second, of which each takes one. The other player takes both of "
            "one that remains; each takes one of the last."
        ),
        "R9.2": N_(
            "The start player's first turn is one action; every later turn is two, with different companies. "
            "The second may not end the game in any way; if no second action is legal the turn ends (ruling)."
        ),
        "R9.3": N_(
            "One exhausted company ends the game at once. Scoring as in R7.12 without Mašinfíra; if tied on "
            "points, fewer shares, then the start player."
        ),
    },
    N_("Golden Spike (USA)"): {
        "R10.1": N_(
            "The Golden Spike tile lies on the landscape hex south-west of Omaha and blocks nothing."
        ),
        "R10.2": N_(
            "If San Francisco is built to before Omaha is, the tile leaves the game and the rest of these "
            "rules is off."
        ),
        "R10.3": N_(
            "The first company in Omaha becomes the eastern one: after R5.7 one train from its supply goes on "
            "the tile, and each other company puts one from its supply in San Francisco, above capacity if "
            "need be, as one more start. The demand tile there leaves the game. A company without supply is "
            "skipped; if it is the eastern one there is none, but R10.4 still counts."
        ),
        "R10.4": N_(
            "The first time track of any colours links Omaha with San Francisco, the builder names the western "
            "company: not the eastern one, and with a train where the new track joined the branches (which, "
            "and where: ruling). One train from its supply goes on the tile; without supply there is no "
            "western company. Track links between adjacent hexes of one company and between companies within a "
            "hex."
        ),
        "R10.5": N_(
            "Both companies then rise by 2 in value, to 15 at most; if one is missing the other still does. No "
            "link, no bonus."
        ),
        "R10.6": N_(
            "Mašinfíra names the company of which it has most shares; if tied, of which the players have "
            "fewer; then the one under its company marker or the next one in its direction."
        ),
        "R10.7": N_("R3.2 holds for every train taken from a supply here."),
    },
    N_("Ports (Europe)"): {
        "R11.1": N_("The 5 ports cannot be built to or through."),
        "R11.2": N_(
            "The first track in each of the 4 cities with a wild tile opens a port, after its influence: one "
            "train of the tile's other colour goes from its supply to a free port that the active player "
            "chooses, as one more start. No supply: skipped."
        ),
        "R11.3": N_(
            "Mašinfíra takes the free port nearest to its target city, as in R7.7; if tied, the shorter way "
            "from the company's track, then farthest east, then farthest north (ties: ruling)."
        ),
        "R11.4": N_(
            "Ports add nothing to a value. A company has at most one port, and one port always stays free."
        ),
    },
}
"""Every clause by its number, in chapters by their titles, all of them English sentences of the catalogue."""
CLAUSES: Final = {number: text for chapter in CHAPTERS.values() for number, text in chapter.items()}
"""The same without the chapters."""


class ClauseProblem(Problem):
    """A number that is no clause's."""

    sentences = {"unknown": N_("There is no clause {clause}: masinfira rules lists them all.")}
