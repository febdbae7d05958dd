// In: what test runners print. Out: how many tests passed and failed in all.

/** Each runner's summary: cargo and wasm-pack one line, node:test and Playwright a line for each count. */
const summaries = [
  /^test result: .*?(?<passed>\d+) passed; (?<failed>\d+) failed/,
  /^(?:#|ℹ) pass (?<passed>\d+)$/,
  /^(?:#|ℹ) fail (?<failed>\d+)$/,
  /^ +(?<passed>\d+) passed(?: \(.*\))?$/,
  /^ +(?<failed>\d+) failed$/,
];

export class Counts {
  passed = 0;
  failed = 0;

  line(text) {
    const plain = text.replace(/\x1b\[[\d;]*m/g, '');
    for (const summary of summaries) {
      const found = plain.match(summary)?.groups;
      this.passed += Number(found?.passed ?? 0);
      this.failed += Number(found?.failed ?? 0);
    }
  }

  toString() {
    return `${this.passed} passed, ${this.failed} failed`;
  }
}
