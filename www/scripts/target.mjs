// In: a rustup toolchain. Out: the environment with which cargo builds for wasm32-unknown-unknown.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apt, haveApt } from './apt.mjs';
import { SetupError, ask, root, say, step } from './run.mjs';

const TARGET = 'wasm32-unknown-unknown';
/** The name under which rustup knows Debian's compiler, where we have to use that. */
const DEBIAN = 'web';
const getRustup = 'install rustup from https://rustup.rs, then open a new terminal';
const debianLib = `/usr/lib/rustlib/${TARGET}/lib`;

/** Throws unless there is a compiler that is new enough. */
export function checkRust() {
  const version = ask('rustc', ['--version'])?.match(/1\.(\d+)\S*/);
  if (!version) throw new SetupError('there is no Rust compiler', getRustup);
  const needed = readFileSync(join(root, 'Cargo.toml'), 'utf8').match(/^rust-version = "1\.(\d+)/m)[1];
  if (Number(version[1]) < Number(needed)) throw new SetupError(`Rust ${version[0]} is too old: 1.${needed} is needed`, 'run `rustup update stable`');
}

export async function wasmTarget() {
  const sysroot = ask('rustc', ['--print', 'sysroot']);
  if (hasStd(join(sysroot, 'lib', 'rustlib', TARGET, 'lib'))) return {};
  if (debianReady()) return { RUSTUP_TOOLCHAIN: DEBIAN };

  if (!ask('rustup', ['--version'])) throw new SetupError(`this Rust has no ${TARGET} target, and rustup is not there to add it`, getRustup);
  const byHand = `run \`rustup target add ${TARGET}\` and see what it says`;
  try {
    // Where there is another way, a server that does not answer is soon given up.
    await step(`adding Rust's ${TARGET} target`, 'rustup', ['target', 'add', TARGET], { fix: byHand, seconds: haveApt ? 90 : 1800 });
    return {};
  } catch (error) {
    if (!haveApt) throw error;
    say('  rustup could not fetch the target; taking the compiler of the system packages for it');
  }
  await debianCompiler(sysroot);
  return { RUSTUP_TOOLCHAIN: DEBIAN };
}

function hasStd(folder) {
  return existsSync(folder) && readdirSync(folder).some((name) => /^libstd-.*\.rlib$/.test(name));
}

function debianReady() {
  return hasStd(debianLib) && (ask('rustup', ['toolchain', 'list']) ?? '').split('\n').some((line) => line.split(' ')[0] === DEBIAN);
}

/** Debian's newest compiler, with the wasm standard library built from its own sources, once. */
async function debianCompiler(rustupSysroot) {
  await apt("Debian's Rust compiler", ['rustc-web', 'cargo-web', 'rust-web-src', 'rust-web-clippy']);
  if (!hasStd(debianLib)) await buildStd();

  // The packages leave the wasm linker out; rustup's is the same program.
  const host = ask('/usr/bin/rustc', ['-vV']).match(/host: (.*)/)[1];
  const bin = `/usr/lib/rustlib/${host}/bin`;
  mkdirSync(bin, { recursive: true });
  if (!existsSync(join(bin, 'rust-lld'))) {
    rmSync(join(bin, 'rust-lld'), { force: true });
    symlinkSync(join(rustupSysroot, 'lib', 'rustlib', host, 'bin', 'rust-lld'), join(bin, 'rust-lld'));
  }
  await step('making it known to rustup', 'rustup', ['toolchain', 'link', DEBIAN, '/usr'], { fix: `run \`rustup toolchain link ${DEBIAN} /usr\`` });
}

/** `test` is built too: `wasm-pack test` needs it. */
async function buildStd() {
  const probe = mkdtempSync(join(tmpdir(), 'std-probe-'));
  mkdirSync(join(probe, 'src'));
  writeFileSync(join(probe, 'Cargo.toml'), '[package]\nname = "std_probe"\nversion = "0.0.0"\nedition = "2021"\n');
  writeFileSync(join(probe, 'src/lib.rs'), '#![no_std]\n');
  await step(`building the standard library for ${TARGET}`, '/usr/bin/cargo', ['build', '--release', '--target', TARGET, '-Zbuild-std=std,panic_abort,test'], {
    cwd: probe,
    env: { RUSTC_BOOTSTRAP: '1', RUSTC: '/usr/bin/rustc' },
    fix: `install the target by hand: \`rustup target add ${TARGET}\``,
  });
  const deps = join(probe, 'target', TARGET, 'release', 'deps');
  mkdirSync(debianLib, { recursive: true });
  // std itself last: `hasStd` takes it for the sign that all is there.
  const libraries = readdirSync(deps).filter((name) => name.endsWith('.rlib') && !name.startsWith('libstd_probe'));
  libraries.sort((a, b) => Number(a.startsWith('libstd-')) - Number(b.startsWith('libstd-')));
  for (const name of libraries) copyFileSync(join(deps, name), join(debianLib, name));
  rmSync(probe, { recursive: true });
}
