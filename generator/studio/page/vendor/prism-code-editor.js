// @ts-nocheck
// The core of prism-code-editor 5.4.0 and its grammar of TOML, both MIT: see prism-code-editor.LICENSE.
// Made from the published package by esbuild, "--bundle --format=esm", from these lines:
//   export { createEditor } from "prism-code-editor";
//   export { languages } from "prism-code-editor/prism";
//   import "prism-code-editor/prism/languages/toml";
// prism-code-editor/dist/core-Dr0o9A-8.js
var plainTextGrammar = {};
var rest = /* @__PURE__ */ Symbol();
var tokenize = /* @__PURE__ */ Symbol();
var resolve = (id) => typeof id == "string" ? languages[id] : id;
var languages = {
  plain: plainTextGrammar,
  plaintext: plainTextGrammar,
  text: plainTextGrammar,
  txt: plainTextGrammar
};
var tokenizeText = (text, grammar) => (grammar[tokenize] || withoutTokenizer)(text, grammar);
var withoutTokenizer = (text, grammar) => {
  var startNode = [text];
  var restGrammar;
  var array = [], i = 0;
  while (restGrammar = resolve(grammar[rest])) {
    delete grammar[rest];
    Object.assign(grammar, restGrammar);
  }
  matchGrammar(text, grammar, startNode, 0);
  while (array[i++] = startNode[0], startNode = startNode[1]) ;
  return array;
};
var escapeHtml = (string, pattern, replacement) => {
  return string.replace(/&/g, "&amp;").replace(pattern, replacement);
};
var closingTag = "</span>";
var openingTags = "";
var closingTags = "";
var highlightTokens = (tokens) => {
  var str = "", token, i = 0;
  while (token = tokens[i++]) str += stringify(token);
  return str;
};
var stringify = (token) => {
  if (token instanceof Token) {
    var { type, alias, content } = token;
    var prevOpening = openingTags;
    var prevClosing = closingTags;
    var opening = `<span class="token ${type + (alias ? " " + alias : "") + (type == "keyword" && typeof content == "string" ? " keyword-" + content.replace(/"|\s/g, "") : "")}">`;
    closingTags += closingTag;
    openingTags += opening;
    var contentStr = stringify(content);
    openingTags = prevOpening;
    closingTags = prevClosing;
    return opening + contentStr + closingTag;
  }
  if (typeof token != "string") return highlightTokens(token);
  token = escapeHtml(token, /</g, "&lt;");
  if (closingTags && token.includes("\n")) return token.replace(/\n/g, closingTags + "\n" + openingTags);
  return token;
};
var matchGrammar = (text, grammar, startNode, startPos, rematch) => {
  for (var token in grammar) if (grammar[token]) for (var j = 0, p = grammar[token], patternObj, patterns = Array.isArray(p) ? p : [p]; patternObj = patterns[j]; j++) {
    if (rematch && rematch[0] == token && rematch[1] == j) return;
    var pattern = patternObj.pattern || patternObj;
    var inside = resolve(patternObj.inside);
    var lookbehind = patternObj.lookbehind;
    var greedy = pattern.global;
    var alias = patternObj.alias;
    for (var currentNode = startNode, pos = startPos; currentNode && (!rematch || pos < rematch[2]); pos += currentNode[0].length, currentNode = currentNode[1]) {
      var str = currentNode[0];
      var removeCount = 0;
      var match;
      if (str instanceof Token) continue;
      pattern.lastIndex = greedy ? pos : 0;
      match = pattern.exec(greedy ? text : str);
      if (!match && greedy) break;
      if (!(match && match[0])) continue;
      var lookbehindLength = lookbehind && match[1] ? match[1].length : 0;
      var from = match.index + lookbehindLength;
      var matchStr = match[0].slice(lookbehindLength);
      var to = from + matchStr.length;
      var k, p;
      if (greedy) {
        for (; p = pos + currentNode[0].length, from >= p; currentNode = currentNode[1], pos = p) ;
        if (currentNode[0] instanceof Token) continue;
        for (k = currentNode, p = pos; (p += k[0].length) < to; k = k[1], removeCount++) ;
        str = text.slice(pos, p);
        from -= pos;
        to -= pos;
      }
      var after = str.slice(to);
      var reach = pos + str.length;
      var newToken = new Token(token, inside ? tokenizeText(matchStr, inside) : matchStr, matchStr, alias);
      var next = currentNode, i = 0;
      var nestedRematch;
      while (next = next[1], i++ < removeCount) ;
      if (after) {
        if (!next || next[0] instanceof Token) next = [after, next];
        else next[0] = after + next[0];
      }
      pos += from;
      currentNode[0] = from ? str.slice(0, from) : newToken;
      if (from) currentNode = currentNode[1] = [newToken, next];
      else currentNode[1] = next;
      if (removeCount) {
        matchGrammar(text, grammar, currentNode, pos, nestedRematch = [
          token,
          j,
          reach
        ]);
        reach = nestedRematch[2];
      }
      if (rematch && reach > rematch[2]) rematch[2] = reach;
    }
  }
};
function Token(type, content, matchedStr, alias) {
  this.type = type;
  this.content = content;
  this.alias = alias;
  this.length = matchedStr.length;
}

// prism-code-editor/dist/core-BIWFpCIO.js
var createEditor = (container, options, ...extensions) => {
  let language;
  let prevLines = [];
  let activeLine;
  let value = "";
  let activeLineNumber;
  let focused = false;
  let handleSelectionChange = true;
  let tokens = [];
  let readOnly;
  let lineCount = 0;
  const scrollContainer = editorTemplate();
  const wrapper = scrollContainer.firstChild;
  const lines = wrapper.children;
  const overlays = lines[0];
  const textarea = overlays.firstChild;
  const currentOptions = {
    language: "text",
    value
  };
  const currentExtensions = new Set(extensions);
  const listeners = {};
  const setOptions = (options2) => {
    Object.assign(currentOptions, options2);
    let isNewVal = value != (value = options2.value ?? value);
    let isNewLang = language != (language = currentOptions.language);
    readOnly = !!currentOptions.readOnly;
    scrollContainer.style.tabSize = currentOptions.tabSize || 2;
    textarea.inputMode = readOnly ? "none" : "";
    textarea.setAttribute("aria-readonly", readOnly);
    updateClassName();
    updateExtensions();
    if (isNewVal) {
      if (!focused) textarea.remove();
      textarea.value = value;
      textarea.selectionEnd = 0;
      if (!focused) overlays.prepend(textarea);
    }
    if (isNewVal || isNewLang) update();
  };
  const update = () => {
    tokens = tokenizeText(value = textarea.value, languages[language] || {});
    dispatchEvent("tokenize", tokens, language, value);
    let newLines = highlightTokens(tokens).split("\n");
    let start = 0;
    let end2 = lineCount;
    let end1 = lineCount = newLines.length;
    while (newLines[start] == prevLines[start] && start < end1) ++start;
    while (end1 && newLines[--end1] == prevLines[--end2]) ;
    if (start == end1 && start == end2) lines[start + 1].innerHTML = newLines[start] + "\n";
    else {
      let insertStart = end2 < start ? end2 : start - 1;
      let i = insertStart;
      let newHTML = "";
      while (i < end1) newHTML += `<div class=pce-line aria-hidden=true>${newLines[++i]}
</div>`;
      for (i = end1 < start ? end1 : start - 1; i < end2; i++) lines[start + 1].remove();
      if (newHTML) lines[insertStart + 1].insertAdjacentHTML("afterend", newHTML);
      scrollContainer.style.setProperty("--number-width", (0 | Math.log10(lineCount)) + 1 + ".001ch");
    }
    dispatchEvent("update", value);
    dispatchSelection(true);
    if (handleSelectionChange) setTimeout(setTimeout, 0, () => handleSelectionChange = true);
    prevLines = newLines;
    handleSelectionChange = false;
  };
  const updateExtensions = (newExtensions) => {
    (newExtensions || currentExtensions).forEach((extension) => {
      if (typeof extension == "object") {
        extension.update(self, currentOptions);
        if (newExtensions) currentExtensions.add(extension);
      } else {
        extension(self, currentOptions);
        if (!newExtensions) currentExtensions.delete(extension);
      }
    });
  };
  const updateClassName = ([start, end] = getInputSelection()) => {
    scrollContainer.className = `prism-code-editor language-${language}${currentOptions.lineNumbers == false ? "" : " show-line-numbers"} pce-${currentOptions.wordWrap ? "" : "no"}wrap${currentOptions.rtl ? " pce-rtl" : ""} pce-${start < end ? "has" : "no"}-selection${focused ? " pce-focus" : ""}${readOnly ? " pce-readonly" : ""}${currentOptions.class ? " " + currentOptions.class : ""}`;
  };
  const getInputSelection = () => [
    textarea.selectionStart,
    textarea.selectionEnd,
    textarea.selectionDirection
  ];
  const keyCommandMap = { Escape() {
    textarea.blur();
  } };
  const inputCommandMap = {};
  const dispatchEvent = (name, ...args) => {
    listeners[name]?.forEach((handler) => handler.apply(self, args));
    currentOptions["on" + name[0].toUpperCase() + name.slice(1)]?.(...args, self);
  };
  const dispatchSelection = (force) => {
    if (force || handleSelectionChange) {
      const selection = getInputSelection();
      const newLine = lines[activeLineNumber = numLines(value, 0, selection[selection[2] < "f" ? 0 : 1])];
      if (newLine != activeLine) {
        activeLine?.classList.remove("active-line");
        newLine.classList.add("active-line");
        activeLine = newLine;
      }
      updateClassName(selection);
      dispatchEvent("selectionChange", selection, value);
    }
  };
  const self = {
    container: scrollContainer,
    wrapper,
    lines,
    textarea,
    get activeLine() {
      return activeLineNumber;
    },
    get value() {
      return value;
    },
    options: currentOptions,
    get focused() {
      return focused;
    },
    get tokens() {
      return tokens;
    },
    inputCommandMap,
    keyCommandMap,
    extensions: {},
    setOptions,
    update,
    getSelection: getInputSelection,
    addExtensions(...extensions2) {
      updateExtensions(extensions2);
    },
    on: (name, handler) => {
      (listeners[name] ||= /* @__PURE__ */ new Set()).add(handler);
      return () => listeners[name].delete(handler);
    },
    remove() {
      scrollContainer.remove();
    }
  };
  addListener(textarea, "keydown", (e) => {
    keyCommandMap[e.key]?.(e, getInputSelection(), value) && preventDefault(e);
  });
  addListener(textarea, "beforeinput", (e) => {
    if (readOnly || e.inputType == "insertText" && inputCommandMap[e.data]?.(e, getInputSelection(), value)) preventDefault(e);
  });
  addListener(textarea, "input", update);
  addListener(textarea, "blur", () => {
    selectionChange = null;
    focused = false;
    updateClassName();
  });
  addListener(textarea, "focus", () => {
    selectionChange = dispatchSelection;
    focused = true;
    updateClassName();
  });
  addListener(textarea, "selectionchange", (e) => {
    dispatchSelection(!e.isTrusted);
    preventDefault(e);
  });
  getElement(container)?.append(scrollContainer);
  options && setOptions(options);
  return self;
};
var doc = "u" > typeof window ? document : null;
var templateEl = /* @__PURE__ */ doc?.createElement("div");
var createTemplate = (html, node) => {
  if (templateEl) {
    templateEl.innerHTML = html;
    node = templateEl.firstChild;
  }
  return () => node.cloneNode(true);
};
var addListener = (target, type, listener, options) => target.addEventListener(type, listener, options);
var getElement = (el) => typeof el == "string" ? doc.querySelector(el) : el;
var numLines = (str, start = 0, end = Infinity) => {
  let count = 1;
  for (; (start = str.indexOf("\n", start) + 1) && start <= end; count++) ;
  return count;
};
var editorTemplate = /* @__PURE__ */ createTemplate("<div><div class=pce-wrapper><div class=pce-overlays><textarea class=pce-textarea spellcheck=false autocapitalize=off autocomplete=off>");
var preventDefault = (e) => {
  e.preventDefault();
  e.stopImmediatePropagation();
};
var selectionChange;
if (doc) addListener(doc, "selectionchange", () => selectionChange?.());

// prism-code-editor/dist/patterns-DSInPV_c.js
var boolean = /\b(?:false|true)\b/;

// prism-code-editor/dist/shared-oTKIFAwH.js
var replace = (pattern, replacements) => pattern.replace(/<(\d+)>/g, (m, index) => `(?:${replacements[+index]})`);
var re = (pattern, replacements, flags) => RegExp(replace(pattern, replacements), flags);

// prism-code-editor/dist/prism/languages/toml.js
var insertKey = (pattern) => re(pattern, [`(?:[\\w-]+|'[^
']*'|"(?:\\\\.|[^\\\\"
])*")`], "mg");
languages.toml = {
  "comment": /#.*/g,
  "table": {
    pattern: insertKey("(^[ 	]*\\[\\s*(?:\\[\\s*)?)<0>(?:\\s*\\.\\s*<0>)*(?=\\s*\\])"),
    lookbehind: true,
    alias: "class-name"
  },
  "key": {
    pattern: insertKey("(^[ 	]*|[{,]\\s*)<0>(?:\\s*\\.\\s*<0>)*(?=\\s*=)"),
    lookbehind: true,
    alias: "property"
  },
  "string": /"""(?:\\[^]|[^\\])*?"""|'''[^]*?'''|'[^\n']*'|"(?:\\.|[^\\\n"])*"/g,
  "date": {
    pattern: /\b(?:\d{4}-\d\d-\d\d(?:[t\s]\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)?)?|\d\d:\d\d:\d\d(?:\.\d+)?)\b/i,
    alias: "number"
  },
  "number": /(?:\b0(?:x[a-zA-Z\d]+(?:_[a-zA-Z\d]+)*|o[0-7]+(?:_[0-7]+)*|b[10]+(?:_[10]+)*))\b|[+-]?\b\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?(?:[eE][+-]?\d+(?:_\d+)*)?\b|[+-]?\b(?:inf|nan)\b/,
  "boolean": boolean,
  "punctuation": /[[\]{}.,=]/
};
export {
  createEditor,
  languages
};
