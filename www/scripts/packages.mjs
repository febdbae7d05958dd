// In: www/package-lock.json. Out: www/node_modules as the lock says, installed only when it is not so already.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, step, www } from './run.mjs';

export async function npmPackages() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new SetupError(`Node ${process.versions.node} is too old for the page's tools`, 'install Node 20.19 or newer from https://nodejs.org');
  }
  const lock = readFileSync(join(www, 'package-lock.json'), 'utf8');
  const installed = join(www, 'node_modules', '.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return;
  // npm tells its scripts where it is, which also holds where `npm` is a .cmd file.
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm, 'ci']] : ['npm', ['ci']];
  await step('installing the npm packages', command, args, { cwd: www, fix: 'check the network, then run `npm --prefix www ci`' });
  writeFileSync(installed, lock);
}
