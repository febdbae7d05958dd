// In: `<script type="module">` or an import. Out: `<rig-view>`, with its .wasm beside this very file.
import { define } from './define';

export type * from './api';

export const RigView = define(import.meta.env?.DEV ? new URL('../pkg/', import.meta.url).href : import.meta.url);
