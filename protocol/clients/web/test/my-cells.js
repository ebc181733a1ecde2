// Cells of one's own, as the README shows them.
export function cell(element, { value }) {
  element.textContent = `★ ${value.title}`;
}

export function loader() {
  const element = document.createElement("progress");
  element.className = "mine";
  return element;
}
