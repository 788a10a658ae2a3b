/**
 * Making elements. Text always arrives as text nodes: nothing that a person or a bot wrote is ever
 * read as markup, and no attribute can carry a script.
 */

/** @typedef {Node|string|number|null|undefined|false|readonly any[]} Child what `fill` takes; lists may nest */

/**
 * Create an element.
 *
 * Of `props`, `class`, `data` (an object), `on` (an object of listeners) and `style` (an object of
 * CSS properties) are special; every other key is an attribute. `false`, `null` and `undefined` leave
 * an attribute out, `true` sets an empty one.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "class") element.className = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "on") {
      for (const [event, listener] of Object.entries(value))
        element.addEventListener(event, listener);
    } else if (name === "style") {
      for (const [property, text] of Object.entries(value))
        element.style.setProperty(property, text);
    } else if (/^on/i.test(name)) throw new TypeError(`listeners go into "on", not ${name}`);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  return fill(element, ...children);
}

/**
 * Append children to an element; empty ones are skipped.
 * @template {Node} N
 * @param {N} element
 * @param {...Child} children
 * @returns {N}
 */
export function fill(element, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    element.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

/**
 * Replace all that is inside an element.
 * @template {Element} E
 * @param {E} element
 * @param {...Child} children
 * @returns {E}
 */
export function refill(element, ...children) {
  element.replaceChildren();
  return fill(element, ...children);
}

/** The element with this id, which the page always has. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

let lastId = 0;

/** A fresh id for tying labels and lists to their inputs. @param {string} prefix */
export function freshId(prefix) {
  lastId += 1;
  return `${prefix}-${lastId}`;
}

/** Where a web address may lead: http(s) only, else null. @param {unknown} address */
export function safeAddress(address) {
  if (typeof address !== "string") return null;
  try {
    const url = new URL(address, location.href);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
  } catch {
    return null;
  }
}

/**
 * Call `task` once things have been quiet for `delay` milliseconds.
 * @template {any[]} A
 * @param {(...args: A) => void} task
 * @param {number} delay
 */
export function quietly(task, delay) {
  let timer = 0;
  const call = (/** @type {A} */ ...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => task(...args), delay);
  };
  call.cancel = () => clearTimeout(timer);
  return call;
}
