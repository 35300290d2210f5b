"""Makes pandas frames where pandas is installed."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Sequence

from .errors import NotInstalled

if TYPE_CHECKING:
    import pandas


def frame_of(rows: Sequence[Mapping[str, Any]]) -> "pandas.DataFrame":
    """Returns the rows as a pandas frame, with a column for each key."""
    try:
        import pandas
    except ImportError as error:
        raise NotInstalled("a frame needs pandas: pip install pandas") from error
    frame: pandas.DataFrame = pandas.DataFrame(list(rows))
    return frame
