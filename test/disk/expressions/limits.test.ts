import { expect } from 'chai';
import { ExpressionError } from '../../../src/disk/expressions/index.ts';
import { evaluateOver } from './evaluate-over.ts';

const LONG = 'a'.repeat(2000);
const DEEP = 3000;

/** Each would run for long, or need much, if it were let. */
const GREEDY: readonly string[] = [
  'range(1000000000000).len()',
  'range(1000000000000).select($ * 2).sum()',
  'range(100000).select(range(100000).len()).sum()',
  'range(3000).orderBy(range(3000).len())',
  'range(100000).distinct($ * $)',
  'sequence().where($ < 0).first()',
  'sequence().len()',
  '[1].cycle().last()',
  'x.repeat().toList()',
  "'a' * 1000000000000",
  "('a' * 100000) * 100000",
  '[1, 2] * 1000000000000',
  '([0] * 10000) * 10000',
  "range(1000).aggregate($1 + $1, 'ab')",
  'range(1000).aggregate($1 + $1, [1, 2])',
  'range(100000).aggregate($1 * $1, 3)',
  'range(100000).aggregate($1 * 1000000007, 1)',
  "('a' * 100000).replace('a', 'b' * 1000)",
  "('a,' * 100000).split(',').select('b' * 1000).join(',')",
  "range(10000).select('a' * 10000).len() + range(10000).select('a' * 10000).last().len()",
  `range(100000).all('${LONG}' =~ '(a|aa)+$')`,
  `'${LONG}' =~ '((((a{900}){900}){900}){900})'`,
  'range(300).select(range(300).select(range(300).sum()).sum()).sum()',
  'range(200000).groupBy($)',
  'range(200000).toDict($)',
  `[${'1,'.repeat(DEEP)}1].select([${'1,'.repeat(1000)}1]).select($ * 10).len()`,
  `${'('.repeat(DEEP)}1${')'.repeat(DEEP)}`,
  `${'not '.repeat(DEEP)}1`,
  `${'-'.repeat(DEEP)}1`,
  `1${' + 1'.repeat(DEEP)}`,
  `[]${'.skip(0)'.repeat(1000)}.len()`,
  `$${'.get(a)'.repeat(1000)}`,
  `a${'[0]'.repeat(DEEP)}`,
  `'x' =~ '${'('.repeat(DEEP)}'`,
  `${'[1].select('.repeat(150)}1${')'.repeat(150)}${' or 1'.repeat(300)}`,
];

const MOST_MILLISECONDS = 1000;
const MOST_BYTES = 64 * 2 ** 20;

describe('the limits of expressions', () => {
  it('end what would run for long or need much, within a second of the processor and 64 MiB', () => {
    for (const text of GREEDY) {
      const bytesBefore = process.memoryUsage().heapUsed;
      const before = process.cpuUsage();
      let error: unknown;
      try {
        evaluateOver(text, {});
      } catch (thrown) {
        error = thrown;
      }
      const name = text.slice(0, 80);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000, name).to.be.below(MOST_MILLISECONDS);
      expect(process.memoryUsage().heapUsed - bytesBefore, name).to.be.below(MOST_BYTES);
      expect(error, name).to.be.instanceOf(ExpressionError);
    }
  });

  it('answer patterns that keep other engines busy for years', () => {
    expect(evaluateOver(`'${LONG}b' =~ '^((a+)+)+$'`, {})).to.equal(false);
    expect(evaluateOver(`'${LONG}' =~ '${'(a?){500}'.repeat(3)}b'`, {})).to.equal(false);
  });

  it('refuse what is nested deeper than can be read', () => {
    for (const text of ['range(20000).aggregate([$1, $2])', 'range(20000).aggregate({a => $1}) = 1'])
      expect(() => evaluateOver(text, {}), text).to.throw(ExpressionError, 'is nested too deeply');
  });

  it('let ordinary work through', () => {
    const disks = Array.from({ length: 200 }, (_, at) => ({
      id: `sd${at}`,
      size: at,
      type: at % 2 ? 'hdd' : 'ssd',
    }));
    expect(
      evaluateOver('$.disks.where($.type = ssd).orderByDescending($.size).first().id', { disks }),
    ).to.equal('sd198');
    expect(evaluateOver('$.disks.select($.size * 2).sum()', { disks })).to.equal(39_800);
  });
});
