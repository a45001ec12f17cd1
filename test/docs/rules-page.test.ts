/** docs/reference/rules.md and docs/reference/moves.md tell of every rule and kind of move that there is. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { FAIL_MODES } from '../../src/htools/cluster/refusal.ts';
import { RULES } from '../../src/htools/cluster/rules.ts';
import { WISH_PREFIXES } from '../../src/htools/cluster/tags/placement-tags.ts';
import { MOVE_KIND_NAMES } from '../../src/htools/model/moves/kinds.ts';

const ROOT = new URL('../../', import.meta.url);
const page = (name: string): string => readFileSync(new URL(`docs/reference/${name}.md`, ROOT), 'utf8');

/** Cells of the first column of the tables of a page. */
const firstCells = (text: string): string[] =>
  [...text.matchAll(/^\| ([a-z0-9-]+) \|/gm)].map(([, cell]) => cell!);

/** Rules that no single node is asked. */
const OF_THE_WHOLE = ['same-node', 'global-n-plus-one', 'n1-guard'];

describe('the page of rules', () => {
  const text = page('rules');

  it('names every file of rules', () => {
    const missing = readdirSync(new URL('src/htools/model/rules', ROOT)).filter(
      (file) => !text.includes(`src/htools/model/rules/${file}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('names every rule that the checker holds a node to, and says what it means', () => {
    const checker = readFileSync(new URL('src/htools/plan/checker/node-rules.ts', ROOT), 'utf8');
    const names = [...checker.matchAll(/\b(?:say|broken)\('([a-z0-9-]+)'/g)].map(([, name]) => name!);
    expect(names).to.include.members(['memory', 'disk', 'exclusion-tags', 'n-plus-one']);
    expect(firstCells(text)).to.include.members([...new Set(names)]);
  });

  it('has the rules of the table, and what each counts as', () => {
    const told = [...text.matchAll(/^\| ([a-z0-9-]+) \|[^|]*\|[^|]*\| (?:`(\w+)`|by figure) \|/gm)];
    const rows = Object.entries(RULES).filter(([name]) => !OF_THE_WHOLE.includes(name));
    expect(told.map(([, name, mode]) => [name, mode])).to.have.deep.members(
      rows.map(([name, { code }]) => [name, code === null ? undefined : FAIL_MODES[code]]),
    );
  });

  it('has each prefix of a rule as tags, as evenkeel(7) has', () => {
    const manual = readFileSync(new URL('man/evenkeel.7', ROOT), 'utf8');
    for (const prefix of Object.values(WISH_PREFIXES)) {
      expect(text).to.include(`| \`${prefix}`);
      expect(manual).to.include(`.BI ${prefix} `);
    }
  });

  it('has a paragraph for each rule of its table', () => {
    const paragraphs = [...text.matchAll(/^\*\*([^*]+)\.\*\*/gm)].flatMap(([, names]) => names!.split(', '));
    expect(paragraphs).to.have.members(firstCells(text).filter((name) => name !== 'rule'));
  });
});

describe('the page of moves', () => {
  it('has each kind in both tables', () => {
    const cells = firstCells(page('moves'));
    for (const name of MOVE_KIND_NAMES)
      expect(
        cells.filter((cell) => cell === name),
        name,
      ).to.have.length(2);
  });
});
