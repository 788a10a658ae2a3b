/** Who sits down? The page that is shown when the address names nobody, and the way to further seats. */

import { byId, h, refill } from "./dom.js";
import { icon } from "./icons.js";
import { avatar } from "./render/avatar.js";

/** @typedef {import("./types.js").User} User */

/** The address of somebody's seat. @param {string} userId */
export const seatAddress = (userId) => `/?user=${encodeURIComponent(userId)}`;

/** Ask who sits down. */
export async function showSeats() {
  const page = byId("seats");
  page.hidden = false;
  document.title = "Who sits down? · Playground";
  await draw(page);
}

/** @param {HTMLElement} page */
async function draw(page) {
  const answer = await fetch("/page/people").catch(() => null);
  if (!answer?.ok) {
    refill(
      page,
      h("h1", {}, "The playground doesn't answer"),
      h("p", {}, "Is it still running? This page tries again by itself."),
    );
    setTimeout(() => draw(page), 1500);
    return;
  }
  /** @type {User[]} */
  const people = (await answer.json()).filter((/** @type {User} */ user) => !user.bot);
  refill(
    page,
    h("img", { class: "seats-mark", src: "/web/icon.svg", alt: "" }),
    h("h1", {}, "Who sits down?"),
    h(
      "p",
      { class: "seats-lead" },
      "Take a seat here, and open another one in a new tab: one tab is one person.",
    ),
    h("ul", { class: "seats-list" }, people.map(seat)),
    newcomer(page),
  );
  page.querySelector("a")?.focus();
}

/** @param {User} user */
function seat(user) {
  const name = user.global_name || user.username;
  return h(
    "li",
    { class: "seat" },
    h(
      "a",
      { class: "seat-here", href: seatAddress(user.id) },
      avatar(user, name),
      h("span", { class: "seat-words" }, h("b", {}, name), h("span", {}, `@${user.username}`)),
    ),
    h(
      "a",
      {
        class: "seat-tab",
        href: seatAddress(user.id),
        target: "_blank",
        rel: "noopener",
        "aria-label": `Sit down as ${name} in a new tab`,
      },
      "New tab",
      icon("external"),
    ),
  );
}

/** A form for somebody who isn't listed. @param {HTMLElement} page */
function newcomer(page) {
  const name = h("input", {
    type: "text",
    class: "text-input",
    maxlength: "32",
    placeholder: "Another name",
    "aria-label": "Name of a new person",
  });
  const problem = h("p", { class: "field-problem", role: "alert", hidden: true });
  const form = h(
    "form",
    { class: "newcomer" },
    name,
    h("button", { type: "submit", class: "button secondary" }, icon("plus"), "Add a person"),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!name.value.trim()) {
      name.focus();
      return;
    }
    const answer = await fetch("/page/people", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ name: name.value.trim() }),
    }).catch(() => null);
    if (answer?.ok) {
      await draw(page);
      return;
    }
    problem.hidden = false;
    problem.textContent =
      (answer && (await answer.text())) || "That didn't work. Is the playground still running?";
  });
  return h("div", {}, form, problem);
}
