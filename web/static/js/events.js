// The server says from which number on something changed (null: no exchange);
// what it looks like now is fetched, rendered there.

// Calls `changed` with that number, 0 for everything, and `said` with how the
// stream is doing. `newest` is the latest exchange that the page knows.
export function listen(newest, changed, said) {
  const events = new EventSource("/events");
  events.addEventListener("hello", (event) => {
    // The page may be older than the stream.
    if (Number(event.data) > newest) changed(newest + 1);
    said("live");
  });
  events.addEventListener("change", (event) => changed(JSON.parse(event.data).from));
  events.addEventListener("stale", () => changed(0));
  events.addEventListener("error", () => said("connection lost, trying again"));
}
