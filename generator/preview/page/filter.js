// A search, as typed: `sword kind:foe cost>3 -title="Old Dragon"`. All of it must hold.

const TERM = /(-?)(?:([^\s:=<>"-][^\s:=<>"]*)(>=|<=|[:=<>]))?(?:"([^"]*)"?|(\S+))/g;

// A function of a piece and its component. Without a column a word may stand in any.
export function searched(text) {
  const terms = [...text.matchAll(TERM)].map(([, not, column, sign, quoted, plain]) => {
    const wanted = fold(quoted ?? plain);
    const holds = column ? ofColumn(fold(column), sign, wanted) : anywhere(wanted);
    return not ? (piece, component) => !holds(piece, component) : holds;
  });
  return (piece, component) => terms.every((holds) => holds(piece, component));
}

const fold = (value) => String(value).toLocaleLowerCase();

const cells = (piece) => [["id", piece.id], ["count", piece.copies], ...Object.entries(piece.row)];

const anywhere = (wanted) => (piece, component) =>
  [component.id, component.title, ...cells(piece).map(([, value]) => value)].some((value) =>
    fold(value).includes(wanted),
  );

function ofColumn(column, sign, wanted) {
  return (piece, component) =>
    [...cells(piece), ["component", component.id]].some(
      ([name, value]) => fold(name) === column && compare(fold(value), sign, wanted),
    );
}

function compare(value, sign, wanted) {
  if (sign === ":") return value.includes(wanted);
  if (sign === "=") return value === wanted;
  if (value.trim() === "" || wanted.trim() === "") return false;
  const [a, b] = [Number(value), Number(wanted)];
  return { ">": a > b, "<": a < b, ">=": a >= b, "<=": a <= b }[sign];
}
