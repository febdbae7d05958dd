// In: what went wrong, wherever it did. Out: an error of one of the five types that pages are told of.
import type { OpenError } from '../pkg/rigview.js';
import type { RigErrorDetail, RigErrorType } from './api';

export class RigError extends Error {
  constructor(
    readonly type: RigErrorType,
    message: string,
    readonly more: Omit<RigErrorDetail, 'type' | 'message'> = {},
  ) {
    super(message);
  }

  get detail(): RigErrorDetail {
    return { type: this.type, message: this.message, ...this.more };
  }
}

/** A trap, or the stack's end: after either, what was at work cannot be trusted. */
export function isCrash(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

export function asRigError(error: unknown): RigError {
  if (error instanceof RigError) return error;
  if (isCrash(error)) return new RigError('crash', 'The viewer crashed on this model. The other models on the page are not affected.');
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && error.name === 'OpenError') {
    const { diagnostics } = (error as OpenError).report;
    return new RigError('parse', message, { findings: diagnostics });
  }
  return new RigError('crash', message);
}
