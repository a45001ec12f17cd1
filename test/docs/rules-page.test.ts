/** docs/reference/rules.md and docs/reference/moves.md tell of every rule and kind of move that there is. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { MOVE_KIND_NAMES } from '../../src/htools/model/moves/kinds.ts';
import { ruleWords } from '../../src/htools/programs/shared/questions/refusal-words.ts';

const ROOT = new URL('../../', import.meta.url);
const page = (name: string): string => readFileSync(new URL(`docs/reference/${name}.md`, ROOT), 'utf8');

/** Cells of the first column of the tables of a page. */
const firstCells = (text: string): string[] =>
  [...text.matchAll(/^\| ([a-z0-9-]+) \|/gm)].map(([, cell]) => cell!);

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
    const names = [...checker.matchAll(/^\s*(?:judge\.refuseIf\([^']*)?'([a-z0-9-]+)',/gm)].map(
      ([, name]) => name!,
    );
    expect(names).to.include.members(['memory', 'disk', 'exclusion-tags', 'n-plus-one']);
    expect(firstCells(text)).to.include.members([...new Set(names)]);
  });

  it('has rules that can be said in words', () => {
    const rules = firstCells(text).filter((name) => name !== 'rule');
    expect(rules.filter((name) => ruleWords(name) === name)).to.deep.equal([]);
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
