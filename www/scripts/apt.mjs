// In: Debian package names. Out: they are installed; only ever as root, and only where apt-get is there.
import { ask, step } from './run.mjs';

/** Whether we may install system packages here (a container or a CI machine, as a rule). */
export const haveApt = process.platform === 'linux' && process.getuid() === 0 && ask('apt-get', ['--version']) !== null;

let updated = false;
let turn = Promise.resolve();

/** Installs what is not installed yet. Calls queue up, since apt takes one at a time. */
export function apt(what, packages) {
  turn = turn.then(() => install(what, packages));
  return turn;
}

async function install(what, packages) {
  const missing = packages.filter((name) => !ask('dpkg-query', ['-W', '-f=${Status}', name])?.includes('install ok installed'));
  if (missing.length === 0) return;
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  if (!updated) {
    await step('updating the list of system packages', 'apt-get', ['update'], { env, fix: 'check the network, then run `apt-get update`' });
    updated = true;
  }
  await step(`installing ${what} (${missing.join(', ')})`, 'apt-get', ['install', '-y', '--no-install-recommends', ...missing], {
    env,
    fix: `run \`apt-get install ${missing.join(' ')}\` and see what it says`,
  });
}
