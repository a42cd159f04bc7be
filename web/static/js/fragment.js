// A piece of a page, rendered by the server.
export async function fragment(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(response.status);
  const template = document.createElement("template");
  template.innerHTML = await response.text();
  return template.content;
}
