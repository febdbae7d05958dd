// In: the check's own data and the samples. Out: whether verdicts arrive in JavaScript, in the terminal, and by their exit codes.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { rigview } from './shared.mjs';

const here = import.meta.dirname;
const data = join(here, '../../tests/data/check');
const script = join(here, '../scripts/check.mjs');
const samples = join(here, '../public/samples');
const built = join(here, '../dist/package');

function filesIn(folder) {
  const files = new rigview.Files();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files.add(path.slice(folder.length + 1), readFileSync(path));
  }
  return files;
}

const run = (...words) => spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' });

test('a model gives a verdict for each engine that reads it, with everything about a finding', () => {
  const model = rigview.Model.open(filesIn(join(data, 'quake3-md3-vertices/bad')));
  assert.deepEqual(model.check().map(({ engine, verdict }) => [engine, verdict]), [['quake3', 'refused'], ['doom3', 'loads']]);
  const [verdict] = model.check('quake3');
  assert.equal(verdict.name, 'Quake III');
  assert.equal(verdict.leftOut, 0);
  const [finding] = verdict.findings;
  assert.deepEqual(
    { rule: finding.rule, severity: finding.severity, file: finding.file, byte: finding.byte, place: finding.place, subject: finding.subject },
    { rule: 'quake3-md3-vertices', severity: 'refuses', file: 'a.md3', byte: 164 + 80, place: 'surface[0]', subject: { mesh: 0 } },
  );
  assert.match(finding.says, /more than 999 verts/);
  assert.match(finding.message, /1000 vertices/);
  assert.ok(finding.why && finding.mend);
  assert.throws(() => model.check('unreal'), /doom3, quake3, goldsrc, source/);
});

test('vertices, joints and tags are told as the model counts them', () => {
  const mesh = rigview.Model.open(filesIn(join(data, 'doom3-md5-weight-sum/bad')));
  assert.deepEqual(mesh.check()[0].findings[0].subject, { mesh: 0, vertex: 1 });
  const joint = rigview.Model.open(filesIn(join(data, 'goldsrc-smd-sequence-gap/bad')));
  const gap = joint.check('goldsrc')[0].findings[0];
  assert.equal(joint.joints[gap.subject.joint].name, 'arm');
  const tag = rigview.Model.open(filesIn(join(data, 'quake3-md3-tag-axes/bad')));
  assert.deepEqual(tag.check('quake3')[0].findings[0].subject, { tag: 0 });
});

test('a mesh behind one with a fault is told as the model counts it', () => {
  const [head, block] = readFileSync(join(data, 'doom3-md5-weight-sum/bad/a.md5mesh'), 'utf8').split(/(?=^mesh \{)/m);
  const files = new rigview.Files();
  files.add('a.md5mesh', Buffer.from(`${head.replace('numMeshes 1', 'numMeshes 2')}${block.replace('tri 0 0 1 2', 'tri 0 0 1 9')}${block}`));
  const model = rigview.Model.open(files);
  const { findings } = model.check('doom3')[0];
  const of = (rule) => findings.find((finding) => finding.rule === rule);
  assert.equal(of('doom3-md5-triangle-index').subject, undefined);
  const sum = of('doom3-md5-weight-sum');
  assert.deepEqual([sum.place, sum.subject], ['mesh[1].vert[1]', { mesh: 0, vertex: 1 }]);
});

test('of several bodies, the mesh is that of the material', () => {
  const reference = readFileSync(join(data, 'goldsrc-smd-weights/bad/a.smd'), 'utf8');
  const files = new rigview.Files();
  const add = (name, text) => files.add(name, Buffer.from(text));
  add('a.qc', '$modelname "x.mdl"\n$cd "."\n$body "one" "a"\n$body "two" "b"\n');
  add('a.smd', reference.replace(' 2 2 0.5 1 0.5', '').replace('skin.bmp', 'other.bmp'));
  add('b.smd', reference);
  const model = rigview.Model.open(files);
  const { subject } = model.check('goldsrc')[0].findings.find(({ rule }) => rule === 'goldsrc-smd-weights');
  assert.equal(model.meshes[subject.mesh].name, 'skin.bmp');
});

test('files that cannot be opened are judged too', () => {
  const files = filesIn(join(data, 'doom3-md5-version/bad'));
  assert.throws(() => rigview.Model.open(files));
  assert.deepEqual(files.checkable, ['a.md5mesh']);
  const [verdict] = files.check();
  assert.equal(verdict.verdict, 'refused');
  assert.deepEqual({ line: verdict.findings[0].line, column: verdict.findings[0].column }, { line: 1, column: 12 });
});

test('the script ends with 1 on a refusal, with 0 on a warning, with 2 where there is nothing', () => {
  assert.equal(run(join(data, 'quake3-md3-vertices/bad')).status, 1);
  assert.equal(run(join(data, 'quake3-md3-vertices/bad'), '--engine', 'doom3').status, 0);
  const warned = run(join(data, 'quake3-md3-bounds/bad/a.md3'), '--engine', 'quake3');
  assert.equal(warned.status, 0);
  assert.match(warned.stdout, /loads, but/);
  assert.equal(run(script).status, 2);
  // Half-Life refuses what is made for Source; that is no fault of it.
  assert.equal(run(join(samples, 'murmur')).status, 0);
  assert.equal(run(join(samples, 'murmur'), '--engine', 'goldsrc').status, 1);
  assert.equal(run().status, 2);
  assert.equal(run('--wrong', script).status, 2);
  assert.equal(run(join(data, 'quake3-md3-vertices/bad'), '--engine', 'unreal').status, 2);
});

test('the package has the script as its command', { skip: !existsSync(built) && 'needs www/dist' }, () => {
  const { bin, files } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
  assert.ok(files.includes('bin'));
  const command = join(built, bin.rigview);
  assert.match(readFileSync(command, 'utf8'), /^#!\/usr\/bin\/env node\n/);
  const packed = (...words) => spawnSync(process.execPath, [command, 'check', ...words], { encoding: 'utf8' });
  const refused = packed(join(data, 'quake3-md3-vertices/bad'));
  assert.equal(refused.status, 1, refused.stderr);
  assert.match(refused.stdout, /a\.md3: Quake III: refused/);
  assert.equal(packed(join(data, 'quake3-md3-vertices/good')).status, 0);
});

test('the script prints JSON', () => {
  const printed = execFileSync(process.execPath, [script, join(data, 'doom3-anim-root-motion/bad'), '--json'], { encoding: 'utf8' });
  const [{ path, verdicts }] = JSON.parse(printed);
  assert.equal(path, 'a.md5anim');
  assert.deepEqual(verdicts.map(({ engine, verdict }) => [engine, verdict]), [['doom3', 'loads']]);
  assert.equal(verdicts[0].findings[0].rule, 'doom3-anim-root-motion');
});

test('the engine that files are made for comes first', () => {
  const first = (folder) => filesIn(folder).check()[0].engine;
  assert.equal(first(join(samples, 'murmur')), 'source');
  assert.equal(first(join(samples, 'tock')), 'goldsrc');
  assert.equal(first(join(samples, 'fathom')), 'quake3');
});

// The games that the samples are made for take them as they are.
const MADE_FOR = { bramble: 'doom3', fathom: 'quake3', tock: 'goldsrc', murmur: 'source' };
for (const [sample, engine] of Object.entries(MADE_FOR)) {
  test(`${sample} loads for ${engine}`, () => {
    const files = filesIn(join(samples, sample));
    const judged = files.checkable.flatMap((path) => files.check(path, engine));
    assert.ok(judged.length > 0);
    for (const { verdict, findings } of judged) assert.equal(verdict, 'loads', JSON.stringify(findings, null, 1));
  });
}
