// In: this machine. Out: where Chromium and Firefox and their drivers are; installed where we may (Debian, as root).
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { apt, haveApt } from './apt.mjs';
import { SetupError } from './run.mjs';

const windowsFolders = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].filter(Boolean);
const onWindows = (path) => windowsFolders.map((folder) => join(folder, path));

const chromiums = {
  linux: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [...onWindows('Google/Chrome/Application/chrome.exe'), ...onWindows('Microsoft/Edge/Application/msedge.exe')],
};
const firefoxes = {
  linux: ['firefox', 'firefox-esr'],
  darwin: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
  win32: onWindows('Mozilla Firefox/firefox.exe'),
};

const webkits = ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`);

/** Software WebGL 2 in a machine without a GPU, and no background traffic. webdriver.json says the same to wasm-pack. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-dev-shm-usage',
];

/** The full path of a program on the PATH, or of the first candidate that exists; `undefined` if there is none. */
export function find(candidates = []) {
  const folders = process.env.PATH.split(delimiter);
  const ending = process.platform === 'win32' ? '.exe' : '';
  const places = candidates.flatMap((name) => (/[\\/]/.test(name) ? [name] : folders.map((folder) => join(folder, name + ending))));
  return places.find(existsSync);
}

/** The Chromium to test with; the variable CHROME names one by hand. */
export function chromium() {
  const found = process.env.CHROME ?? find(chromiums[process.platform]);
  if (found) return found;
  throw new SetupError('no Chrome, Chromium or Edge was found', `${getOne('chromium chromium-driver')}, or set CHROME to the path of one`);
}

/** The Firefox that geckodriver will find too. */
export function firefox() {
  const found = find(firefoxes[process.platform]);
  if (found) return found;
  throw new SetupError('no Firefox was found', getOne('firefox-esr xvfb'));
}

/** Safari's engine as Debian packages it, or `undefined`. */
export function webkit() {
  return webkits.find(existsSync);
}

function getOne(packages) {
  return process.platform === 'linux' ? `install it (Debian: \`sudo apt-get install ${packages}\`)` : 'install it';
}

/** Installs the browsers where we may. Elsewhere they are the user's own, and each suite says what it lacks. */
export async function installBrowsers() {
  if (!haveApt) return;
  if (!find(chromiums.linux) || !find(['chromedriver'])) await apt('Chromium', ['chromium', 'chromium-driver']);
  if (!find(firefoxes.linux) || !find(['xvfb-run'])) {
    const gl = ['libegl1', 'libgl1', 'libgl1-mesa-dri', 'libegl-mesa0', 'libglx-mesa0', 'libgles2', 'libgbm1', 'libpci3'];
    await apt('Firefox and a display for it', ['firefox-esr', 'xvfb', 'xauth', ...gl]);
  }
  if (!webkit() || !find(['WebKitWebDriver'])) await apt("Safari's engine", ['webkit2gtk-driver']);
}
