import { expect } from 'chai';
import { prometheusText } from '../../../src/kit/report/prometheus.ts';
import { readExposition } from '../../suite/documents/exposition.ts';

const family = (labels: Record<string, string | undefined>, value: number) => [
  { name: 'hbal_score', help: 'Score.', samples: [{ labels, value }] },
];

describe('figures for Prometheus', () => {
  it('are families with HELP and TYPE', () => {
    expect(prometheusText(family({ group: 'a', none: undefined }, 1.25))).to.equal(
      '# HELP evenkeel_hbal_score Score.\n# TYPE evenkeel_hbal_score gauge\nevenkeel_hbal_score{group="a"} 1.25\n',
    );
    expect(prometheusText([{ name: 'none', help: 'None.', samples: [] }])).to.equal('');
  });

  it('come back from a strict reader as they were, whatever stands in a name', () => {
    for (const group of ['plain', 'a"b', 'back\\slash', 'two\nlines', '} 7', 'süd', '\\n'])
      for (const value of [0, -1.5, 1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY])
        expect(readExposition(prometheusText(family({ group }, value)))).to.deep.equal([
          { name: 'evenkeel_hbal_score', labels: { group }, value },
        ]);
  });

  it('are refused by that reader when something is wrong', () => {
    const head = '# HELP a A.\n# TYPE a gauge\n';
    const wrong = [
      'a 1\n',
      '# TYPE a gauge\na 1\n',
      `${head}a 1`,
      `${head}b 1\n`,
      `${head}a 1\na 2\n`,
      `${head}a{x=y} 1\n`,
      `${head}a{x="\\t"} 1\n`,
      `${head}a{x="1",x="2"} 1\n`,
      `${head}a one\n`,
      `${head}${head}a 1\n`,
      '# HELP a_mib A.\n# TYPE a_mib gauge\na_mib 1\n',
    ];
    for (const text of wrong) expect(() => readExposition(text), text).to.throw();
    expect(readExposition(`${head}a{x="1"} 1\na{x="2"} 2\n`)).to.have.length(2);
  });
});
