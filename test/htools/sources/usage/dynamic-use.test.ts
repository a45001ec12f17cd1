import { expect } from 'chai';
import { parseDynamicUse } from '../../../../src/htools/sources/usage/dynamic-use.ts';
import { problemsOf } from '../problems-of.ts';

const problems = (text: string) =>
  problemsOf(() => parseDynamicUse(text, 'f')).map(({ line, problem }) => `${line}: ${problem}`);

describe('dynamic use files', () => {
  it('give four loads a name; the last line of a name counts', () => {
    expect(Object.fromEntries(parseDynamicUse('a 1 2 3 4\nb 0.5 1e3 0 (1)\na 9 9 9 9', 'f'))).to.deep.equal({
      a: { cpu: 9, mem: 9, disk: 9, net: 9 },
      b: { cpu: 0.5, mem: 1000, disk: 0, net: 1 },
    });
  });

  it('may be empty', () => expect(parseDynamicUse('', 'f').size).to.equal(0));

  it('fail with every line that cannot be read', () => {
    expect(problems('a 1 2 3\na 1 2 3 4 \n\na 1 2 x .5\nb 1 2 3 4\n')).to.deep.equal([
      '1: Cannot parse line a 1 2 3',
      '2: Cannot parse line a 1 2 3 4 ',
      '3: Cannot parse line ',
      "4: a: cannot parse string 'x'",
      "4: a: cannot parse string '.5'",
    ]);
  });

  it('fail on loads that are none, and on carriage returns', () => {
    expect(problems('a -1 NaN Infinity 1\r\n')).to.deep.equal([
      "1: a: '-1' is not a load",
      "1: a: 'NaN' is not a load",
      "1: a: 'Infinity' is not a load",
      "1: a: leftover characters when parsing '1\r': '\r'",
    ]);
    const remedies = problemsOf(() => parseDynamicUse('a -1 1 1 1\r\n', 'f')).map(({ remedy }) => remedy);
    expect(remedies[0]).to.equal('give a number from 0 to 1000000000000');
    expect(remedies[1]).to.equal('convert the line ends of the file to line feeds only');
  });

  it('say where a wrong load stands', () => {
    const [found] = problemsOf(() => parseDynamicUse('abc 1 x 3 4', 'f'));
    expect(found).to.include({ line: 1, column: 7, field: 'mem', value: 'x' });
  });
});
