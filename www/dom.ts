// In: names and texts. Out: elements. Text from files only ever becomes text.

type Child = Node | string | undefined | false;

/** An element with attributes and children. A `false` attribute is left out, a `true` one is empty; ARIA's are spelled out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | boolean> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('aria-')) element.setAttribute(name, String(value));
    else if (value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** A name that, where there is no room for all of it, keeps its end: versions and extensions are told apart by that. */
export function shortened(name: string): HTMLElement {
  const end = name.length > 24 ? name.slice(-12) : '';
  return el('span', { class: 'name' }, el('span', { class: 'start' }, name.slice(0, name.length - end.length)), end && el('span', {}, end));
}

/** The element with this id; it is in the page. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no #${id} in the page`);
  return element as T;
}

/** One of the page's icons. */
export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#i-${name}`);
  svg.append(use);
  return svg;
}

/** Whether keys belong to something that is being typed into. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type=range], [type=checkbox], [type=radio]), textarea, select');
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** 1234567 as "1,234,567" in the reader's own way. */
export function grouped(value: number): string {
  return value.toLocaleString();
}

/** A length in units: enough digits to tell, none to spare. */
export function units(value: number): string {
  const size = Math.abs(value);
  return value.toLocaleString(undefined, { maximumFractionDigits: size >= 100 ? 0 : size >= 10 ? 1 : 3 });
}
