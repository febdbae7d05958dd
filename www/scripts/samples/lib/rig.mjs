// A skeleton and its poses. Joints bind with identity turns in the model's axes, so a pose is written as
// "turn this joint about the model's own X, Y, Z"; the frames that files store (X along the bone) are put on when writing.

import { add, clamp, conj, cross, distance, dot, fromColumns, IDENTITY, length, lookAlong, mad, qmul, qunit, scale, sub, turn, unit } from './math.mjs';

export class Rig {
  /** `joints`: [name, parent name or null, bind position, optional point the X axis looks at]. Parents come first. */
  constructor(joints) {
    this.index = new Map(joints.map(([name], i) => [name, i]));
    this.joints = joints.map(([name, parent, at, to]) => ({ name, parent: parent === null ? -1 : this.index.get(parent), at, to }));
    for (const j of this.joints) {
      const child = this.joints.find((c) => c.parent >= 0 && this.joints[c.parent] === j);
      const to = j.to ?? (child && distance(child.at, j.at) > 0.1 ? child.at : null);
      const along = to ? sub(to, j.at) : null;
      if (!along || j.parent < 0) j.frame = j.parent < 0 ? IDENTITY : this.joints[j.parent].frame;
      else j.frame = lookAlong(along, Math.abs(unit(along)[2]) > 0.9 ? [-1, 0, 0] : [0, 0, 1]);
    }
  }

  id(name) {
    const i = this.index.get(name);
    if (i === undefined) throw new Error(`no joint called ${name}`);
    return i;
  }

  /** Model-space { t, q } per joint in the bind pose, with the frames files store. */
  bind() {
    return this.joints.map((j) => ({ t: j.at, q: j.frame }));
  }
}

export class Pose {
  constructor(rig) {
    this.rig = rig;
    this.turns = rig.joints.map(() => IDENTITY);
    this.moves = rig.joints.map(() => [0, 0, 0]);
  }

  turn(name, q) {
    const i = this.rig.id(name);
    this.turns[i] = qmul(this.turns[i], q);
    return this;
  }

  move(name, by) {
    const i = this.rig.id(name);
    this.moves[i] = add(this.moves[i], by);
    return this;
  }

  /** Model-space { t, q } per joint; q turns the bind pose's model axes. */
  world() {
    const out = [];
    this.rig.joints.forEach((j, i) => {
      if (j.parent < 0) out.push({ t: add(j.at, this.moves[i]), q: this.turns[i] });
      else {
        const parent = out[j.parent];
        const from = add(sub(j.at, this.rig.joints[j.parent].at), this.moves[i]);
        out.push({ t: add(parent.t, turn(parent.q, from)), q: qmul(parent.q, this.turns[i]) });
      }
    });
    return out;
  }

  /** Bends `upper` and `lower` so that `end` comes to `target` and stands turned by `endTurn` (model axes); the middle joint bends towards `pole`. */
  reach(upper, lower, end, target, pole, endTurn) {
    const [u, l, e] = [upper, lower, end].map((n) => this.rig.id(n));
    const [ju, jl, je] = [u, l, e].map((i) => this.rig.joints[i]);
    const world = this.world();
    const root = world[u].t;
    const d1 = unit(sub(jl.at, ju.at));
    const d2 = unit(sub(je.at, jl.at));
    const [l1, l2] = [distance(jl.at, ju.at), distance(je.at, jl.at)];
    const hinge = unit(cross(d1, d2));
    let way = sub(target, root);
    const far = clamp(length(way), Math.abs(l1 - l2) + 0.05, (l1 + l2) * 0.998);
    way = unit(way);
    const side = unit(sub(pole, scale(way, dot(pole, way))));
    const cos = (l1 * l1 + far * far - l2 * l2) / (2 * l1 * far);
    const knee = add(mad(root, way, l1 * cos), scale(side, l1 * Math.sqrt(Math.max(0, 1 - cos * cos))));
    const foot = mad(root, way, far);
    const n1 = unit(sub(knee, root));
    const n2 = unit(sub(foot, knee));
    const axis = unit(cross(n1, n2));
    const frame = (x, h) => fromColumns(x, h, cross(x, h));
    const parent = world[ju.parent].q;
    const qu = qmul(frame(n1, axis), conj(frame(d1, hinge)));
    const ql = qmul(frame(n2, axis), conj(frame(d2, hinge)));
    this.turns[u] = qunit(qmul(conj(parent), qu));
    this.turns[l] = qunit(qmul(conj(qu), ql));
    this.turns[e] = qunit(qmul(conj(ql), endTurn));
    return { reached: distance(foot, target) };
  }

  /** Model-space { t, q } with the frames files store. */
  frames() {
    return this.world().map((k, i) => ({ t: k.t, q: qmul(k.q, this.rig.joints[i].frame) }));
  }
}

/** Parent-local transforms of model-space ones. */
export function toLocal(rig, frames) {
  return frames.map(({ t, q }, i) => {
    const p = rig.joints[i].parent;
    if (p < 0) return { t, q };
    const back = conj(frames[p].q);
    return { t: turn(back, sub(t, frames[p].t)), q: qmul(back, q) };
  });
}

/** Points moved by a pose: `world` as Pose.world() gives it (turns of the model's axes in the bind pose). */
export function posed(points, rig, world) {
  return points.map(({ p, w }) => {
    const out = [0, 0, 0];
    for (const name in w) {
      const i = rig.id(name);
      const moved = turn(world[i].q, sub(p, rig.joints[i].at));
      for (let k = 0; k < 3; k++) out[k] += w[name] * (world[i].t[k] + moved[k]);
    }
    return out;
  });
}
