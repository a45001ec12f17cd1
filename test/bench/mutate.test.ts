import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { transform } from 'esbuild';
import { changeOf, isKnown, knownSurvivors } from '../../bench/mutate/known-survivors.ts';
import { type Mutant, mutantsOf } from '../../bench/mutate/mutants.ts';
import { switchOn } from '../../bench/mutate/switch.ts';
import { testOrder } from '../../bench/mutate/test-order.ts';
import { TestSession } from '../../bench/mutate/test-session.ts';
import { withSwitches } from '../../bench/mutate/with-switches.ts';
import { newFolder } from '../builders/folder.ts';
import { itInLongRun } from '../builders/seeds.ts';

/** A loaded machine may take its time to start a process. */
const PATIENTLY_MS = 100_000;

const mistaken = (source: string, { start, from, to }: Mutant): string =>
  source.slice(0, start) + to + source.slice(start + from.length);

/** The switches as a module that Node can load; what is switched on is known to all of this process. */
async function writeSwitches(folder: string): Promise<string> {
  const file = join(folder, 'switch.mjs');
  const { code } = await transform(readFileSync('bench/mutate/switch.ts', 'utf8'), { loader: 'ts' });
  writeFileSync(file, code);
  return pathToFileURL(file).href;
}

const changes = (source: string): string[] => mutantsOf('a.ts', source).map(changeOf);

describe('the mutation tester', () => {
  it('makes one small mistake at a time', () => {
    const source = 'if (a < b && !c) return Math.min(a + 1, 2);';
    const mutants = mutantsOf('a.ts', source);
    expect(mutants.map((mutant) => mistaken(source, mutant))).to.have.members([
      'if (false) return Math.min(a + 1, 2);',
      'if (a < b || !c) return Math.min(a + 1, 2);',
      'if (a <= b && !c) return Math.min(a + 1, 2);',
      'if (a < b && c) return Math.min(a + 1, 2);',
      'if (a < b && !c) return Math.max(a + 1, 2);',
      'if (a < b && !c) return Math.min(a - 1, 2);',
      'if (a < b && !c) return Math.min(a + 0, 2);',
    ]);
    expect(mutants.every(({ line, text }) => line === 1 && text === source)).to.equal(true);
  });

  it('leaves types and imports alone', () => {
    expect(changes("import { a } from './a.ts';\ntype B = true | 0;\ninterface C { d: 1 }")).to.deep.equal(
      [],
    );
  });

  it('switches on exactly the mistake that the text would have', async () => {
    // In parentheses, so that the text with another operator joins the same.
    const source = `export const run = (list: readonly number[], isLate: boolean): unknown[] => {
  let [sum, low] = [0, 1];
  const at: Record<number, string> = { 0: 'none', 1: 'one' };
  for (const value of list) if ((value > 1 && !isLate) && value <= 7) sum += (value * 2) - 1;
  if (sum === 0 || (isLate && list?.some((value) => value >= 5))) low -= Math.min(sum, 3);
  return [sum + low, sum !== low, sum < 5, at[low], Math.floor(sum / 2), true];
};`;
    const cases: [number[], boolean][] = [
      [[], false],
      [[1, 2, 7, 8], false],
      [[5], true],
      [[4, 5], true],
    ];
    const results = async (text: string): Promise<unknown[]> => {
      const { code } = await transform(text, { loader: 'ts', format: 'esm' });
      const { run } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
      return cases.map(([list, isLate]) => run(list, isLate));
    };
    const folder = newFolder();
    const switched = withSwitches('a.ts', source, (position) => position, await writeSwitches(folder));
    const mutants = mutantsOf('a.ts', source);
    try {
      expect(await results(switched)).to.deep.equal(await results(source));
      for (const [id, mutant] of mutants.entries()) {
        switchOn(id);
        expect(await results(switched), changeOf(mutant)).to.deep.equal(
          await results(mistaken(source, mutant)),
        );
      }
    } finally {
      switchOn(-1);
    }
    expect(mutants).to.have.length(29);
  });

  it('runs the own test of a file first, those that launch programs last, and none that cannot see it', () => {
    const paths = testOrder(['src/htools/model/rules/admission.ts']).map(({ path }) => path);
    expect(paths[0]).to.equal('test/htools/model/rules/admission.test.ts');
    expect(paths).to.include('test/htools/properties/journal.property.test.ts');
    const near = paths.indexOf('test/htools/explain/questions.test.ts');
    expect(near).to.be.above(0);
    expect(paths.indexOf('test/htools/programs/hspace/main.test.ts')).to.be.above(near);
    expect(paths).to.include('test/kit/cli/run.test.ts');
    for (const blind of ['test/kit/units.test.ts', 'test/bench/mutate.test.ts'])
      expect(paths).not.to.include(blind);
  });

  it('switches mistakes on in threads and processes that a test starts, and hears what they reach', async () => {
    const folder = newFolder();
    await writeSwitches(folder);
    writeFileSync(
      join(folder, 'program.mjs'),
      `import { plus } from './switch.mjs';
       process.exit(plus(7, 2, 2) === 4 ? 0 : 1);`,
    );
    writeFileSync(
      join(folder, 'a.test.mjs'),
      `import { spawnSync } from 'node:child_process';
       import { once } from 'node:events';
       import { Worker } from 'node:worker_threads';
       const program = new URL(${JSON.stringify(pathToFileURL(join(folder, 'program.mjs')).href)});
       const hold = (status) => { if (status !== 0) throw new Error('wrong'); };
       it('process', () => hold(spawnSync(process.execPath, [program.pathname]).status));
       it('thread', async () => hold((await once(new Worker(program, { execArgv: [] }), 'exit'))[0]));
       it('neither', () => {});`,
    );
    const session = new TestSession(join(folder, 'a.test.mjs'), process.cwd());
    try {
      expect(await session.ready(PATIENTLY_MS)).to.equal('ready');
      const told = async (mutant: number) => {
        const answer = await session.run({ mutant, bail: false }, PATIENTLY_MS);
        if (typeof answer === 'string') throw new Error(answer);
        return answer.tests.map(({ title, isPassed, reached }) => [title, isPassed, reached]);
      };
      expect(await told(-1)).to.deep.equal([
        ['process', true, [7]],
        ['thread', true, [7]],
        ['neither', true, []],
      ]);
      expect((await told(7)).map(([, isPassed]) => isPassed)).to.deep.equal([false, false, true]);
    } finally {
      session.end();
    }
  });

  itInLongRun('ends a test that loops, and all that it started', async () => {
    const folder = newFolder();
    const marks = join(folder, 'marks');
    // The process that it starts writes on and on, for a quarter of a minute at most, and has begun to when
    // the test is ready.
    writeFileSync(
      join(folder, 'a.test.mjs'),
      `import { spawn } from 'node:child_process';
       import { existsSync } from 'node:fs';
       import { setTimeout as pause } from 'node:timers/promises';
       const marks = ${JSON.stringify(marks)};
       const words = 'for (let k = 0; k < 150; k++) { setTimeout(() => fs.appendFileSync(process.argv[1], "."), k * 100); }';
       spawn(process.execPath, ['-e', words, marks]);
       while (!existsSync(marks)) await pause(10);
       it('loops', () => {
         for (;;) if (existsSync('never')) break;
       });`,
    );
    const session = new TestSession(join(folder, 'a.test.mjs'), process.cwd());
    try {
      expect(await session.ready(PATIENTLY_MS)).to.equal('ready');
      expect(await session.run({ mutant: -1, bail: true }, 250)).to.equal('late');
      await setTimeout(200);
      const length = readFileSync(marks).length;
      await setTimeout(500);
      expect(length).to.be.above(0);
      expect(readFileSync(marks)).to.have.length(length);
    } finally {
      session.end();
    }
  });

  it('knows the survivors that the page lists, and each is still a mutant of the code', () => {
    const known = knownSurvivors();
    expect(known).to.have.length.above(0);
    for (const survivor of known) {
      const mutants = mutantsOf(survivor.path, readFileSync(survivor.path, 'utf8'));
      expect(
        mutants.some((mutant) => isKnown([survivor], mutant)),
        survivor.text,
      ).to.equal(true);
      expect(survivor.reason).to.not.equal('');
    }
  });
});
