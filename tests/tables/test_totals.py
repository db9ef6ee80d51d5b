"""A row that adds up the rows above it is told and not printed; a sound row is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.basics.errors import Place, PnpError
from generator.model import Column
from generator.tables.schema import TableSchema
from generator.tables.table import read_table

SUMS = {
    "no label": "title,cost,date,count\nA,1,x,2\nB,2,y,3\n,,,5\n",
    "no label, all sums": "title,cost,date,count\nA,1,x,2\nB,2,y,3\n,3,,5\n",
    "no label, copies": "count,title,cost\n2,A,3\n3,B,1\n5,,\n",
    "no label, no count": "title,cost,date\nA,1.5,x\nB,2,y\n,3.5,\n",
    "no label, another word for count": "title,cost,Qty\nA,1,2\nB,2,3\n,,5\n",
    "no label, an id": "id,title,cost\n1,A,2\n2,B,3\n,,5\n",
    "words": "title,cost,date,count\nA,1,x,2\nB,2,y,3\nTOTAL CARDS,,,5\n",
    "words, rows": "title,cost,artist\nA,1,x\nB,2,y\nTotal cards,,2\n",
    "a colon": "title,cost,date,count\nA,1,x,2\nB,2,y,3\nTotal cards:,,,7\n",
    "a number in the label": "title,cost,date\nA,1,x\nB,2,y\nSumme: 2,,\n",
    "alone": "title,cost,date\nA,1,x\nB,2,y\nGesamt,,\n",
    "in another cell": "id,title,cost\na,A,1\nb,B,2\n,Total,3\n",
    "another word for count": "title,cost,Qty,notes\nA,1,3,\n,,,\nB,2,1,\n,,,\nTotal,,4,\n",
}


@pytest.mark.parametrize("name", SUMS)
def test_last_row_that_is_a_sum(name: str, tmp_path: Path) -> None:
    columns = [Column(column) for column in ("title", "cost")]
    (tmp_path / "cards.csv").write_text(SUMS[name])
    with pytest.raises(PnpError) as error:
        read_table(tmp_path, "cards.csv", TableSchema(columns), Place("game.toml", 7))
    (problem,) = error.value.problems
    assert problem.what == "this row seems to add up the rows above it"
    assert problem.place.line == SUMS[name].count("\n")
    draft = TableSchema(columns, is_draft=True)
    pieces = read_table(tmp_path, "cards.csv", draft, Place("game.toml", 7))
    assert [piece.row["title"] for piece in pieces] == ["A", "B"]


@pytest.mark.parametrize(
    "content",
    [
        "title,cost\n1,0\n0,1\n1,1\n",  # a domino
        "title,cost\n,1\n,2\n,3\n",
        "cost,title\n1,A\n2,B\n3,\n",  # without words on it
        "title,cost\nA,1\nB,2\n,4\n",
        "title,cost\nA,3\n,3\n",
        "kind,title,cost\nX,A,1\n,B,2\n,C,3\n",
        "kind,cost,title\nX,1,\n,2,\n,3,\n",
        "title,cost,rules,count\nA,1,x,2\nB,2,y,3\nTotal War,3,z,1\n",
        "title,cost,rules,count\nA,1,x,2\nB,2,y,3\nTotal War,4,,1\n",
        "title,cost,rules\nA,1,x\nB,2,y\nTotal War,,\n",
        "title,cost\nTotal,1\nB,2\nSum,3\n",
        "cost,title\n,Add\n,Divide\n,Sum\n",
        "title,cost,rules\nA,1,x\nB,2,y\n,3,\nC,1,z\n",  # not the last one
    ],
)
def test_sound_row_that_is_no_sum(content: str, tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text(content)
    schema = TableSchema([Column("title"), Column("cost")])
    pieces = read_table(tmp_path, "cards.csv", schema, Place("game.toml", 7))
    assert len(pieces) == content.count("\n") - 1
