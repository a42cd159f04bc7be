// Marks and comments.
import { say } from "./copy.js";

export async function note(n, fields) {
  const response = await fetch(`/exchanges/${n}/annotation`, {
    method: "POST",
    body: new URLSearchParams(fields),
    // It leads to the page of the exchange.
    redirect: "manual",
  });
  const isDone = response.type === "opaqueredirect" || response.ok;
  if (!isDone) say(`exchange ${n} could not be noted: ${response.status}`);
  return isDone;
}

// Asks for a comment; calls `kept` with it.
export function comment(n, now, kept) {
  const dialog = document.getElementById("comment-dialog");
  const input = document.getElementById("comment-text");
  document.getElementById("comment-on").textContent = n;
  input.value = now;
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "keep") kept(input.value);
  }, { once: true });
  dialog.returnValue = "";
  dialog.showModal();
  input.select();
}
