// How many exchanges the list has, in its heading. A figure is asked for anew as exchanges
// come, not more often than every two seconds; what has to be looked for is looked for once.
export function matching(list) {
  const shown = document.getElementById("matching");
  let timer = null;

  async function ask() {
    try {
      const response = await fetch(`/matching${list.query}`);
      if (!response.ok) return;
      const { words } = await response.json();
      shown.textContent = `${words}, `;
    } catch {
      // It is said again later, or not at all.
    }
  }

  if (shown.dataset.count === "look") {
    shown.title = "Counted when this page was made";
    ask();
  }
  return () => {
    if (shown.dataset.count !== "figure" || timer) return;
    timer = setTimeout(() => {
      timer = null;
      ask();
    }, 2000);
  };
}
