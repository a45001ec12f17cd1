import { expect } from 'chai';
import { ExpressionError } from '../../../src/disk/expressions/index.ts';
import { evaluateOver } from './evaluate-over.ts';
import { outcomeOf } from './shown.ts';
import { DATA, DIFFERENCES, OUTCOMES } from './table.ts';

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

  it('say where they are wrong', () => {
    expect(faultOf('$.ram + $.nope')).to.include({ offset: 10, message: "there is no 'nope' here" });
    expect(faultOf('1 + (2 * ')).to.include({ offset: 9, message: 'ends too early' });
    expect(faultOf('$.disks.where($.ram > 1)').message).to.equal("there is no 'ram' here");
    expect(faultOf('$.disks.where($.ram > 1)').remedy).to.contain('get(ram)');
    expect(faultOf('tolower(a)').message).to.equal("there is no function 'tolower'");
    expect(faultOf('tolower(a)').remedy).to.equal("'toLower' is meant");
    expect(faultOf("'a'.str()").remedy).to.equal('write str(value)');
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
