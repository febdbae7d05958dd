// In: a sentence for people and a command. Out: the command's output, or an exit that names what is missing and how to fix it.
import { spawn, spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const www = join(root, 'www');
export const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');

// Cargo's tools and npm's come first, so that a distribution's older `cargo` or `wasm-opt` does not shadow them.
process.env.PATH = [join(cargoHome, 'bin'), join(www, 'node_modules', '.bin'), process.env.PATH ?? process.env.Path].join(delimiter);

// Whatever ends this program ends what it started.
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill()));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

/** A failure that we can explain: what is missing, and what to do about it. */
export class SetupError extends Error {
  constructor(missing, fix) {
    super(`${missing}\n  Fix: ${fix}`);
  }
}

export function say(line) {
  console.log(`rigview: ${line}`);
}

/** What a command prints, trimmed; `null` when it is not there or fails. */
export function ask(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', timeout: 60_000, ...options });
  return result.status === 0 ? result.stdout.trim() : null;
}

/**
 * Runs a long step with its output kept back: prints what it does, a sign of life every 15 seconds, and the last lines if it
 * fails. Throws a SetupError with that and `fix`.
 */
export async function step(what, command, args, { fix, seconds = 3600, cwd = root, env = {} }) {
  say(`${what} …`);
  const began = Date.now();
  const elapsed = () => `${Math.round((Date.now() - began) / 1000)} s`;
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let lines = [];
  const keep = (chunk) => (lines = [...lines, ...chunk.toString().split(/\r?\n|\r/).filter((line) => line.trim())].slice(-40));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const heartbeat = setInterval(() => say(`  still ${what} (${elapsed()}): ${(lines.at(-1) ?? '').trim().slice(0, 90)}`), 15_000);
  const limit = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
  const code = await ended(child);
  clearInterval(heartbeat);
  clearTimeout(limit);
  if (code === 0) {
    say(`  done: ${what} (${elapsed()})`);
    return;
  }
  const why = typeof code === 'string' ? code : `exit code ${code}`;
  throw new SetupError(`${what} failed after ${elapsed()} (${why}):\n    ${lines.join('\n    ')}`, fix);
}

/**
 * Runs a command whose own output is what people want to see (tests, builds); `line` sees its standard output too.
 * Throws a SetupError when it fails.
 */
export async function show(what, command, args, { env = {}, cwd = root, fix = 'read the output above', line } = {}) {
  say(what);
  const stdio = ['ignore', line ? 'pipe' : 'inherit', 'inherit'];
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio });
  if (line) {
    child.stdout.pipe(process.stdout, { end: false });
    createInterface({ input: child.stdout }).on('line', line);
  }
  const code = await ended(child);
  if (code !== 0) {
    throw new SetupError(`${what} failed (${typeof code === 'string' ? code : `exit code ${code}`})`, fix);
  }
}

/** Runs `main`, and turns an explained failure into its sentence and exit code 1. */
export async function main(job) {
  try {
    await job();
  } catch (error) {
    console.error(error instanceof SetupError ? `rigview: ${error.message}` : error);
    process.exit(1);
  }
}

function ended(child) {
  running.add(child);
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.code === 'ENOENT' ? `${error.path} is not there` : error.message));
    child.on('close', (code, signal) => resolve(code ?? `stopped by ${signal}`));
  }).finally(() => running.delete(child));
}
