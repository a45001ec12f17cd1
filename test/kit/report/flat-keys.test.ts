import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { flatKeys } from '../../../src/kit/report/key-value.ts';

const DOCUMENT = {
  program: 'hbal',
  copiedMib: 1.5,
  isNPlusOneHappy: true,
  empty: null,
  endless: Number.NEGATIVE_INFINITY,
  absent: undefined,
  names: ['a', "b'; echo caught; '"],
  steps: [{ from: { primary: 'node1' } }, { from: { primary: '$(echo caught)' } }],
  primaryTags: { 'service:web': 2 },
};

describe('a document as keys and values', () => {
  it('has every value under the members that lead to it', () => {
    expect(flatKeys('hbal', DOCUMENT, true).split('\n')).to.deep.equal([
      'HBAL_PROGRAM=hbal',
      'HBAL_COPIED_MIB=1.5',
      'HBAL_IS_NPLUS_ONE_HAPPY=1',
      'HBAL_EMPTY=',
      'HBAL_ENDLESS=',
      'HBAL_NAMES_COUNT=2',
      "HBAL_NAMES='a b'\\''; echo caught; '\\'''",
      'HBAL_STEPS_COUNT=2',
      'HBAL_STEPS_0_FROM_PRIMARY=node1',
      "HBAL_STEPS_1_FROM_PRIMARY='$(echo caught)'",
      'HBAL_PRIMARY_TAGS_SERVICE_WEB=2',
      'HBAL_OK=1',
      '',
    ]);
  });

  it('keeps names apart that come to one key, and what is in them', () => {
    const usage = { 'a.b': { total: 1 }, a_b: { total: 2, used: 3 }, 'A-b': { total: 4 } };
    const lists = { mapped: ['x'], mapped_count: 5, few: [{ n: 6 }], few_0: 7 };
    expect(flatKeys('hbind', { usage, ...lists }, true).split('\n')).to.deep.equal([
      'HBIND_USAGE_A_B_TOTAL=1',
      'HBIND_USAGE_A_B_2_TOTAL=2',
      'HBIND_USAGE_A_B_2_USED=3',
      'HBIND_USAGE_A_B_3_TOTAL=4',
      'HBIND_MAPPED_COUNT=1',
      'HBIND_MAPPED=x',
      'HBIND_MAPPED_COUNT_2=5',
      'HBIND_FEW_COUNT=1',
      'HBIND_FEW_0_N=6',
      'HBIND_FEW_0_2=7',
      'HBIND_OK=1',
      '',
    ]);
  });

  it('lacks the last line where something failed', () => {
    expect(flatKeys('hbal', DOCUMENT, false)).to.match(/HBAL_PRIMARY_TAGS_SERVICE_WEB=2\n$/);
  });

  it('is read by a shell, which runs nothing of it', () => {
    const script = `${flatKeys('hbal', DOCUMENT, true)}printf '%s|%s' "$HBAL_NAMES" "$HBAL_STEPS_1_FROM_PRIMARY"`;
    const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
    expect({ stdout, stderr }).to.deep.equal({ stdout: "a b'; echo caught; '|$(echo caught)", stderr: '' });
  });
});
