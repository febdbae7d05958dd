// In: the element's class and where its script lies. Out: `<rig-view>` is known to the page, once.
import type { RigViewClass } from './api';
import { RigView } from './element';
import { getWasm, setBase, setWasm } from './engine';

/** The package's version, put in by the build. */
declare const RIGVIEW_VERSION: string;

/** The class that the page's `<rig-view>` has: this one, or that of another copy of the script that came first. */
export function define(base: string | undefined): RigViewClass {
  const known = customElements.get('rig-view') as RigViewClass | undefined;
  if (known) return known;
  setBase(base);
  Object.defineProperties(RigView, {
    wasm: { get: getWasm, set: setWasm },
    version: { value: typeof RIGVIEW_VERSION === 'string' ? RIGVIEW_VERSION : 'dev' },
  });
  customElements.define('rig-view', RigView);
  return RigView as unknown as RigViewClass;
}
