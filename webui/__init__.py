"""The web page for the table: a Flask application and the server that runs it.

serve("0.0.0.0", 8000, Path("games"), profile_dir=None)
app = create_app(Path("games"), None, join_code="ABCD-EFGH")
"""

from .app import create_app
from .problems import WebProblem
from .server import serve

__all__ = ["WebProblem", "create_app", "serve"]
