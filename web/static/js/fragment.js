// A piece of a page, rendered by the server.
export async function fragment(address) {
  return (await piece(address)).content;
}

// The same, and what asks for the one behind it.
export async function piece(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(response.status);
  const template = document.createElement("template");
  template.innerHTML = await response.text();
  return { content: template.content, next: response.headers.get("parallax-next") };
}
