// In: drops, pastes and file dialogs. Out: files with their paths, folders walked through.

export interface Incoming {
  path: string;
  file: File;
}

/** More than any model comes with: a whole disk dropped by mistake must not hang the page. */
const MOST_FILES = 20_000;

/** Files of a drop or paste. Must be called within the event; the items are gone after it. */
export function fromTransfer(transfer: DataTransfer): Promise<Incoming[]> {
  const entries: FileSystemEntry[] = [];
  const loose: File[] = [];
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue;
    const entry = item.webkitGetAsEntry?.();
    // A pasted image has no entry.
    if (entry) entries.push(entry);
    else {
      const file = item.getAsFile();
      if (file) loose.push(file);
    }
  }
  return walk(entries, loose);
}

/** Files of a file or folder dialog. */
export function fromInput(input: HTMLInputElement): Incoming[] {
  return [...(input.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

async function walk(entries: FileSystemEntry[], loose: File[]): Promise<Incoming[]> {
  const found: Incoming[] = loose.map((file) => ({ path: file.name, file }));
  const queue = [...entries];
  for (let entry = queue.shift(); entry && found.length < MOST_FILES; entry = queue.shift()) {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      found.push({ path: entry.fullPath.replace(/^\//, ''), file });
    } else if (!isClutter(entry.name)) {
      queue.push(...(await list(entry as FileSystemDirectoryEntry)));
    }
  }
  return found;
}

/** Folders that version control and systems leave behind. */
function isClutter(name: string): boolean {
  return name === '.git' || name === '.svn' || name === '__MACOSX' || name === 'node_modules';
}

async function list(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  // A reader hands out a hundred at a time, and an empty list at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** Calls back for drops anywhere in the window, and shows the veil meanwhile. */
export function watchDrops(veil: HTMLElement, then: (files: Promise<Incoming[]>) => void): void {
  let depth = 0;
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  addEventListener('dragenter', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    depth++;
    veil.classList.add('shown');
  });
  addEventListener('dragover', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    event.dataTransfer!.dropEffect = 'copy';
  });
  addEventListener('dragleave', (event) => {
    if (carriesFiles(event) && --depth <= 0) {
      depth = 0;
      veil.classList.remove('shown');
    }
  });
  addEventListener('drop', (event) => {
    depth = 0;
    veil.classList.remove('shown');
    if (!event.dataTransfer || !carriesFiles(event)) return;
    event.preventDefault();
    then(fromTransfer(event.dataTransfer));
  });
  addEventListener('paste', (event) => {
    const { clipboardData } = event;
    if (clipboardData && [...clipboardData.items].some((item) => item.kind === 'file')) {
      event.preventDefault();
      then(fromTransfer(clipboardData));
    }
  });
}
