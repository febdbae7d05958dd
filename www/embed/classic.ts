// In: a classic `<script src>`. Out: `<rig-view>`, and `RigView` for the page's own scripts.
import { define } from './define';

const script = document.currentScript as HTMLScriptElement | null;
(globalThis as { RigView?: unknown }).RigView = define(script?.src || undefined);
