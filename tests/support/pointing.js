({
  // The names of all moves that the page lets one reach by the pointer or by keys: each spot of a piece that is held,
  // then what is offered next. Only what is shown counts.
  async reach(by) {
    const c = await import("/choosing.js"), p = await import("/pointing.js"), { showChoice } = await import("/rules.js");
    const reached = new Set();
    const isThere = (selector) => document.querySelector(selector) !== null;
    const go = (path) => {
      while (c.takeBack());
      return path.map((choice) => c.choose(choice)).at(-1) ?? null;
    };
    // By turning the piece there.
    const spotsAt = (place) => {
      const due = c.spots().filter((spot) => spot.place === place).length, found = new Set();
      for (const isOver of [false, true, true]) {
        for (let turn = 0; turn < 7 && found.size < due; turn++) {
          if (by === "keys") p.setAt(place);
          else p.lookFor(c.placeOf(place));
          if (p.aimed().spot?.place === place) found.add(p.aimed().spot);
          p.turn(1);
        }
        if (found.size < due) p.turn(1, isOver);
      }
      return [...found];
    };
    const fits = ({ members }, choice) =>
      members.some(({ piece, spot }) => ("place" in choice ? spot?.place === choice.place : piece === choice.piece && (!choice.spot || choice.spot === spot)));
    const visit = (path) => {
      const settled = go(path);
      if (settled) return void reached.add(settled.name);
      showChoice();
      const buttons = [...document.querySelectorAll("#acts > .move")].map((one) => one.dataset.move);
      for (const name of buttons) reached.add(name);
      const before = c.rest();
      const places = [...new Set(c.spots().map(({ place }) => place))].filter((place) => isThere(`.place[data-place="${place}"]`));
      const pieces = c.pieces().filter((piece) => isThere(`.is-legal[data-id="${piece}"], #acts > .piece`)).map((piece) => ({ piece }));
      const next = c.held() !== null
        ? places.flatMap(spotsAt).map((spot) => ({ piece: spot.piece, spot }))
        : [...pieces, ...places.map((place) => ({ place }))];
      for (const choice of next) {
        if (before.some((parts) => fits(parts, choice) && !reached.has(parts.move.name))) visit([...path, choice]);
      }
    };
    visit([]);
    go([]);
    showChoice();
    return [...reached];
  },

  // What may be pressed now: its kind, where in the window, and its number there.
  async offers() {
    const c = await import("/choosing.js"), { toWindow } = await import("/scale.js"), { state } = await import("/table.js");
    const middle = (one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    const pieces = [...document.querySelectorAll(".thing.is-legal:not(.is-taken)")].map((one) => ["piece", ...middle(one), one.dataset.id]);
    const places = [...new Set(c.spots().map(({ place }) => place))].map((place) => ["place", ...toWindow(c.placeOf(place).x, c.placeOf(place).y), String(place)]);
    const buttons = [...document.querySelectorAll("#acts > :is(.move, .piece)")].map((one) => ["button", ...middle(one), one.textContent]);
    const isOver = state().told.at(-1).startsWith("The game is over");
    return { held: c.held(), over: isOver, offers: [...pieces, ...places, ...buttons] };
  },

  // How the page stands; "" while it waits for an answer.
  async stand() {
    const c = await import("/choosing.js"), { aimed } = await import("/pointing.js"), { state } = await import("/table.js");
    if (document.body.classList.contains("is-waiting")) return "";
    return [state().number, c.chosen().length, aimed().isSet, aimed().spot?.number, document.querySelector("#acts").textContent].join();
  },

  // Scrolls to it. Where in the window it is then; null if something else lies upon it.
  bring(kind, name) {
    const one = this.find(kind, name);
    one.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { x, y, width, height } = one.getBoundingClientRect(), at = [x + width / 2, y + height / 2];
    return document.elementFromPoint(...at)?.closest(kind === "piece" ? `.thing[data-id="${name}"]` : "#felt, #acts") ? at : null;
  },

  find(kind, name) {
    if (kind === "button") return [...document.querySelectorAll("#acts > button")].find((one) => one.textContent === name);
    return document.querySelector(kind === "piece" ? `.thing[data-id="${name}"]` : `.place[data-place="${name}"]`);
  },

  // The key that moves the focus nearer to a piece, a place or a button; "" if it is there.
  way(kind, name) {
    const goal = this.find(kind, name), here = document.activeElement;
    if (here === goal) return "";
    if (kind === "button") return "Tab";
    if (!here.matches(".thing.is-legal, .place")) return "ArrowRight";
    const [from, to] = [here.getBoundingClientRect(), goal.getBoundingClientRect()];
    const x = to.x + to.width / 2 - from.x - from.width / 2, y = to.y + to.height / 2 - from.y - from.height / 2;
    if (Math.abs(x) > Math.abs(y)) return x > 0 ? "ArrowRight" : "ArrowLeft";
    return y > 0 ? "ArrowDown" : "ArrowUp";
  },

  // In how many ways the piece can be laid where it waits.
  async waysHere() {
    const c = await import("/choosing.js"), { aimed } = await import("/pointing.js");
    return c.spots().filter(({ place }) => place === aimed().spot.place).length;
  },

  async isAimed() {
    const { aimed } = await import("/pointing.js");
    return aimed().spot !== null;
  },
})
