// Copying, and saying so.
let said = null;

export function say(text) {
  if (!said) {
    said = document.createElement("p");
    said.className = "said";
    said.setAttribute("role", "status");
    document.body.append(said);
  }
  said.textContent = text;
  said.classList.remove("gone");
  // Begins anew where it says something again.
  void said.offsetWidth;
  said.classList.add("gone");
}

// Where there is no clipboard (an older browser, another address) the old way.
async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    const place = document.querySelector("dialog[open]") || document.body;
    place.append(area);
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    if (!isDone) throw new Error("refused");
  }
}

export async function copy(what, text) {
  try {
    await write(await text);
    say(`${what} copied`);
  } catch {
    say(`${what} could not be copied: the browser refuses`);
  }
}

export async function textOf(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(response.status);
  return response.text();
}

// The page of one exchange.
export function copies(bar) {
  const n = bar.dataset.copy;
  const command = bar.querySelector("code");
  const button = (after, what, text) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = "copy";
    made.setAttribute("aria-label", `Copy the ${what}`);
    made.addEventListener("click", () => copy(`${what} of exchange ${n}`, text()));
    after.after(" ", made);
  };
  bar.querySelectorAll("[data-copies]").forEach((link) => {
    button(link, link.dataset.copies, () => textOf(link.href));
  });
  button(command, "command", () => command.textContent);
}
