// Contrast of colours, and pairs that some eyes cannot tell apart: the figures of pnp check, from the same
// formulas (generator/checks/preflight/eyes.py says whose they are).

/** @typedef {[number, number, number]} Triple */

const TO_XYZ = [
  [0.41239079926595934, 0.357584339383878, 0.1804807884018343],
  [0.21263900587151027, 0.715168678767756, 0.07219231536073371],
  [0.01933081871559182, 0.11919477979462598, 0.9505321522496607],
];
const TO_LMS = [
  [0.178824041258, 0.4351609057, 0.04119349692],
  [0.034556423182, 0.27155382458, 0.03867130836],
  [0.000299565576, 0.0018430896, 0.01467086136],
];
const GREY = [0.2126, 0.7152, 0.0722];
const WINGS = [[-0.060107569, 0.162986387, 0], [-0.0025738511, 0.0536567225, 0]];
const WINGS_APART = [0.344781556122, -0.655178443878, 0];
const [EPSILON, KAPPA] = [216 / 24389, 24389 / 27];
const TOLD_APART = 10;
const LOST = 0.5;

export const SIGHTS = ["deuteranopia", "protanopia", "tritanopia", "grey"];

/** @type {(one: number[], other: number[]) => number} */
const dot = (one, other) => one.reduce((sum, value, i) => sum + value * other[i], 0);
/** @type {(one: number[], other: number[]) => number[]} */
const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];
/** @type {(matrix: number[][], vector: number[]) => number[]} */
const times = (matrix, vector) => matrix.map((row) => dot(row, vector));

/** @param {number[][]} matrix */
function inverse([a, b, c]) {
  const columns = [cross(b, c), cross(c, a), cross(a, b)];
  const size = dot(a, columns[0]);
  return [0, 1, 2].map((i) => columns.map((column) => column[i] / size));
}
const FROM_LMS = inverse(TO_LMS);

/** The cones' values without those of one kind. @type {(cone: number, cones: number[]) => number[]} */
function loseCone(cone, cones) {
  const normal = cross(TO_LMS.map((row) => dot(row, [1, 1, 1])), TO_LMS.map((row) => row[2]));
  const value = -cones.reduce((sum, own, i) => (i === cone ? sum : sum + own * normal[i]), 0) / normal[cone];
  return cones.map((own, i) => (i === cone ? value : own));
}

/** The light of "#rrggbb", 0 to 1. @param {string} colour */
const light = (colour) =>
  [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));

/** @type {(linear: number[], sight: string) => number[]} */
function seen(linear, sight) {
  if (!sight) return linear;
  if (sight === "grey") return Array(3).fill(dot(GREY, linear));
  const cones = times(TO_LMS, linear);
  if (sight !== "tritanopia") return times(FROM_LMS, loseCone(sight === "protanopia" ? 0 : 1, cones));
  const short = dot(cones, WINGS[dot(cones, WINGS_APART) > 0 ? 1 : 0]);
  return times(FROM_LMS, [cones[0], cones[1], short]);
}

/** CIELAB. @type {(colour: string, sight?: string) => number[]} */
function lab(colour, sight = "") {
  const white = TO_XYZ.map((row) => dot(row, [1, 1, 1]));
  const [x, y, z] = times(TO_XYZ, seen(light(colour), sight)).map((value, i) => value / white[i])
    .map((share) => (share > EPSILON ? Math.cbrt(share) : (KAPPA * share + 16) / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** The contrast ratio of WCAG 2: 1 to 21. @type {(one: string, other: string) => number} */
export function contrast(one, other) {
  const [dark, bright] = [one, other].map((colour) => dot(light(colour), TO_XYZ[1])).sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

/** CIEDE2000, as an eye sees it. @type {(one: string, other: string, sight?: string) => number} */
export function difference(one, other, sight = "") {
  const [first, second] = [lab(one, sight), lab(other, sight)];
  /** @param {number} chroma */
  const to25 = (chroma) => Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));
  const stretch = 1.5 - 0.5 * to25((Math.hypot(first[1], first[2]) + Math.hypot(second[1], second[2])) / 2);
  const [p, q] = [first, second].map(([l, a, b]) => ({ l, c: Math.hypot(a * stretch, b), h: (Math.atan2(b, a * stretch) + 2 * Math.PI) % (2 * Math.PI) }));
  const isGrey = p.c * q.c === 0;
  const straight = q.h - p.h;
  const turn = isGrey ? 0 : Math.abs(straight) > Math.PI ? straight - 2 * Math.PI * Math.sign(straight) : straight;
  const hue = isGrey ? p.h + q.h : (p.h + turn / 2 + 2 * Math.PI) % (2 * Math.PI);
  const [middle, chroma] = [((p.l + q.l) / 2 - 50) ** 2, (p.c + q.c) / 2];
  const degrees = (hue * 180) / Math.PI;
  /** @type {(factor: number, by: number) => number} */
  const wave = (factor, by) => Math.cos(factor * hue + (by * Math.PI) / 180);
  const weight = 1 - 0.17 * wave(1, -30) + 0.24 * wave(2, 0) + 0.32 * wave(3, 6) - 0.2 * wave(4, -63);
  const ofLight = (q.l - p.l) / (1 + (0.015 * middle) / Math.sqrt(20 + middle));
  const ofChroma = (q.c - p.c) / (1 + 0.045 * chroma);
  const ofHue = (2 * Math.sqrt(p.c * q.c) * Math.sin(turn / 2)) / (1 + 0.015 * chroma * weight);
  const blue = (Math.PI / 3) * Math.exp(-(((degrees - 275) / 25) ** 2));
  const both = -2 * to25(chroma) * Math.sin(blue) * ofChroma * ofHue;
  return Math.sqrt(ofLight ** 2 + ofChroma ** 2 + ofHue ** 2 + both);
}

/** The pairs of a palette that most eyes tell apart, and some do not, with both differences.
 * @param {[name: string, colour: string][]} palette
 * @returns {{names: [string, string], sight: string, usual: number, filtered: number}[]} */
export function alike(palette) {
  const pairs = palette.flatMap(([name, colour], i) => palette.slice(i + 1).map((other) => ({ one: name, other: other[0], usual: difference(colour, other[1]), colours: [colour, other[1]] })));
  return SIGHTS.flatMap((sight) => pairs.flatMap(({ one, other, usual, colours }) => {
    const filtered = difference(colours[0], colours[1], sight);
    const isLost = usual >= TOLD_APART && filtered < TOLD_APART && filtered < LOST * usual;
    return isLost ? [{ names: /** @type {[string, string]} */ ([one, other]), sight, usual, filtered }] : [];
  }));
}
