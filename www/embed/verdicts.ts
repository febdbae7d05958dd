// In: a model's files as they came. Out: what each game would make of them. The rules are in the package's core, which is loaded only where
// a page asks for them.
import type { EngineId } from '../pkg/rigview.js';
import type { RigVerdict } from './api';
import { beside } from './engine';

let core: Promise<typeof import('../pkg/rigview.js')> | undefined;

export async function verdicts(list: readonly { path: string; bytes: Uint8Array }[], path: string | undefined, engine?: EngineId): Promise<RigVerdict[]> {
  core ??= load().catch((error: unknown) => {
    core = undefined;
    throw error;
  });
  const { Files } = await core;
  const files = new Files();
  try {
    for (const { path, bytes } of list) files.add(path, bytes);
    // What cannot be opened has not told its path: then the likeliest is meant.
    return files.check(path ?? files.candidates[0]?.path ?? list[0]!.path, engine);
  } finally {
    files.free();
  }
}

async function load(): Promise<typeof import('../pkg/rigview.js')> {
  const module = await import(/* @vite-ignore */ beside('core/rigview.js'));
  await module.default();
  return module;
}
