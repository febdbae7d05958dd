// In: what `src` says and what a model names. Out: addresses to fetch.

/** Folders that the games' trees begin with: what a model names by one of these lies below the same root as the model. */
const ROOTS = ['models', 'textures', 'materials', 'gfx', 'sprites', 'players', 'scripts', 'progs'];

/** A listing may name this many files; a whole game is an archive. */
const MOST_FILES = 200;

/** The files of a `src` and, after `#`, what is meant inside. Blanks or commas separate files; a blank in a name is `%20`. */
export function split(src: string, base: string): { urls: string[]; inside: string } {
  let inside = '';
  const urls: string[] = [];
  for (const word of src.split(/[\s,]+/).filter(Boolean)) {
    let url: URL;
    try {
      url = new URL(word, base);
    } catch {
      continue;
    }
    if (url.hash.length > 1) inside = decode(url.hash.slice(1));
    url.hash = '';
    if (!urls.includes(url.href)) urls.push(url.href);
  }
  return { urls, inside };
}

export function isFolder(url: string): boolean {
  return /(\/|\.json)$/.test(new URL(url).pathname);
}

/** The parameter that names the file where a script hands files out: DokuWiki's `fetch.php?media=models:imp.md5mesh`. */
function parameter(url: URL): [name: string, value: string] | undefined {
  if (!/\.(php|cgi|aspx?)$/i.test(url.pathname)) return undefined;
  return [...url.searchParams].find(([, value]) => /\.\w{2,8}$/.test(value));
}

/** The path under which a fetched file is known to the model's own rules of finding. */
export function pathOf(address: string): string {
  const url = new URL(address);
  const [, named] = parameter(url) ?? [];
  return (named?.replace(/:/g, '/') ?? decode(url.pathname)).replace(/^\/+/, '');
}

/**
 * Where a file that a model names may be, the likeliest first: at the path that it names, below the root of the game's tree where
 * the model lies in one, then beside the model. `tried` are the paths that would do, in the game's order: the whole name with each
 * extension, then with fewer and fewer folders.
 */
export function places(tried: readonly string[], urls: readonly string[]): string[] {
  const model = urls.find((url) => !isFolder(url));
  const [first] = tried;
  if (model === undefined || first === undefined) return [];
  const parts = pathOf(model).split('/').slice(0, -1);
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
  const whole = tried.filter((path) => folderOf(path) === folderOf(first));
  const root = ROOTS.includes(first.split('/')[0]!) ? parts.findIndex((part) => ROOTS.includes(part.toLowerCase())) : -1;
  const below = parts.slice(0, Math.max(root, 0));
  const found = new Set<string>();
  for (const path of whole) {
    const named = at(model, [...(root < 0 ? parts : below), ...path.split('/')]);
    const beside = at(model, [...parts, path.slice(folderOf(path).length)]);
    // In a game's tree the name says where; elsewhere a file more likely lies beside the model.
    for (const place of root < 0 ? [beside, named] : [named, beside]) found.add(place);
  }
  return [...found];
}

function at(model: string, parts: string[]): string {
  const url = new URL(model);
  const [name, value] = parameter(url) ?? [];
  if (name !== undefined) url.searchParams.set(name, parts.join(value!.includes(':') ? ':' : '/'));
  else url.pathname = `/${parts.map(encodeURIComponent).join('/')}`;
  return url.href;
}

/** What belongs to a part of a Quake III player, beside it. */
export function playerSiblings(urls: readonly string[], skins: readonly string[]): string[] {
  const part = urls.find((url) => /(^|\/)(lower|upper|head)\.md3$/i.test(pathOf(url)));
  if (part === undefined) return [];
  const parts = ['lower', 'upper', 'head'];
  const names = ['animation.cfg', ...parts.map((name) => `${name}.md3`), ...['default', ...skins].flatMap((skin) => parts.map((name) => `${name}_${skin}.skin`))];
  const folder = pathOf(part).split('/').slice(0, -1);
  return names.map((name) => at(part, [...folder, name]));
}

/** Files that a web server's index, or a JSON list, names. Only those in the very folder and below it count. */
export function linksOf(text: string, folder: string): string[] {
  let names: string[];
  try {
    const list: unknown = JSON.parse(text);
    names = Array.isArray(list) ? list.map((entry: unknown) => (typeof entry === 'string' ? entry : String((entry as { name?: unknown })?.name ?? ''))) : [];
  } catch {
    names = [...text.matchAll(/<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi)].map((link) => (link[1] ?? link[2] ?? link[3] ?? '').replace(/&amp;/g, '&'));
  }
  const inside = new URL('.', folder).href;
  const links = new Set<string>();
  for (const name of names) {
    try {
      const url = new URL(name, folder);
      [url.hash, url.search] = ['', ''];
      if (url.href.startsWith(inside) && url.href !== folder && !url.pathname.endsWith('/') && /\.\w+$/.test(url.pathname)) links.add(url.href);
    } catch {
      // Not an address at all.
    }
  }
  return [...links].slice(0, MOST_FILES);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
