import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { FUNCTIONS } from '../../../src/disk/expressions/functions/function-table.ts';
import { ExpressionError } from '../../../src/disk/expressions/index.ts';
import { evaluateOver } from './evaluate-over.ts';
import { outcomeOf } from './shown.ts';
import { DATA, DIFFERENCES, NOT_TAKEN, OUTCOMES } from './table.ts';

const faultOf = (text: string): ExpressionError => {
  try {
    evaluateOver(text, DATA);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`${text} did not fail`);
};

describe('expressions', () => {
  it('give what the table says', () => {
    const wrong = [
      ...OUTCOMES.map(([expression, outcome]) => ({ expression, outcome })),
      ...DIFFERENCES,
    ].flatMap(({ expression, outcome }) => {
      const ours = outcomeOf(expression, DATA);
      return ours === outcome ? [] : [`${expression}: ${ours}, not ${outcome}`];
    });
    expect(wrong).to.deep.equal([]);
    expect(OUTCOMES.length).to.be.above(250);
  });

  it('have no function of those that the page of differences names as missing, and it names them all', () => {
    const page = readFileSync(new URL('../../../docs/reference/differences.md', import.meta.url), 'utf8');
    for (const name of NOT_TAKEN) {
      expect(faultOf(`${name}()`).message).to.equal(`there is no function '${name}'`);
      expect(page).to.include(`\`${name}\``);
    }
  });

  it('have each function in the table of this test and in the how-to', () => {
    const page = readFileSync(new URL('../../../docs/how-to/disk-layout.md', import.meta.url), 'utf8');
    const all = [...OUTCOMES, ...DIFFERENCES.map(({ expression }) => [expression])];
    const called = new Set(all.flatMap(([text]) => [...text.matchAll(/(\w+)\(/g)].map(([, name]) => name)));
    for (const name of Object.keys(FUNCTIONS)) {
      expect(called, 'the table').to.include(name);
      expect(page, 'the how-to').to.include(`\`${name}`);
    }
  });

  it('say where they are wrong', () => {
    expect(faultOf('$.ram + $.nope')).to.include({ offset: 10, message: "there is no 'nope' here" });
    expect(faultOf('1 + (2 * ')).to.include({ offset: 9, message: 'ends too early' });
    expect(faultOf('$.disks.where($.ram > 1)').message).to.equal("there is no 'ram' here");
    expect(faultOf('$.disks.where($.ram > 1)').remedy).to.contain('get(ram)');
    expect(faultOf('tolower(a)').message).to.equal("there is no function 'tolower'");
    expect(faultOf('tolower(a)').remedy).to.equal("'toLower' is meant");
    expect(faultOf("'a'.str()").remedy).to.equal('write str(value)');
    expect(faultOf('$.disks.isEmpty()').remedy).to.equal('write not list.any()');
    expect(faultOf('$.disks.first($.type = ssd)').offset).to.equal(16);
    expect(faultOf('1 < abc').message).to.equal('an integer and a string have no order');
  });

  it('give plain data', () => {
    expect(evaluateOver('{a => [1, 2.5, null], b => $.disks.id}', DATA)).to.deep.equal({
      a: [1, 2.5, null],
      b: ['sda', 'sdb', 'sdc'],
    });
  });

  it('do not reach what belongs to the language below', () => {
    for (const text of [
      '$.constructor',
      '$.__proto__',
      "$.get('__proto__').x",
      'constructor()',
      "'a'.constructor()",
    ])
      expect(outcomeOf(text, DATA), text).to.equal('error');
    expect(outcomeOf("$.get('__proto__')", DATA)).to.equal('null');
    expect(outcomeOf('toString(1)', DATA)).to.equal('error');
  });
});
