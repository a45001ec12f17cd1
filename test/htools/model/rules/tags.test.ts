import { expect } from 'chai';
import { ALLOWED, FAIL_MIG, FAIL_TAGS } from '../../../../src/htools/cluster/refusal.ts';
import {
  migrationRefusal,
  primaryRefusal,
  secondaryRefusal,
} from '../../../../src/htools/model/rules/admission.ts';
import { smallState } from '../../../builders/small-cluster.ts';

describe('the exclusion tag rule', () => {
  const tags = ['service:web'];
  const state = smallState({
    tags: ['htools:iextags:service'],
    nodes: [{}, {}, {}],
    instances: [
      { tags },
      { tags, primary: 1, secondary: 2 },
      { tags: ['team:a'] },
      { tags: ['team:a'], primary: 1, secondary: 2 },
    ],
  });

  it('keeps two primaries with one tag apart, softly', () => {
    expect(primaryRefusal(state, 0, 1, false)).to.equal(FAIL_TAGS);
    expect(primaryRefusal(state, 0, 1, true)).to.equal(ALLOWED);
    expect(primaryRefusal(state, 0, 2, false)).to.equal(ALLOWED);
  });

  it('does not mind secondaries', () => {
    expect(secondaryRefusal(state, 0, 1, 0, false, false)).to.equal(ALLOWED);
  });

  it('does not mind tags without an exclusion prefix', () => {
    expect(primaryRefusal(state, 2, 1, false)).to.equal(ALLOWED);
  });

  it('minds reserved instances', () => {
    const reserved = smallState({
      tags: ['htools:iextags:service'],
      nodes: [{}, {}, {}],
      instances: [{ tags }, { tags, primary: 2, secondary: 1, isForthcoming: true }],
    });
    expect(primaryRefusal(reserved, 0, 2, false)).to.equal(FAIL_TAGS);
  });
});

describe('the migration rule', () => {
  const cluster = [
    'htools:migration:kernel',
    'htools:allowmigration:kernel:1::kernel:2',
    'htools:allowmigration:kernel:2::kernel:3',
  ];
  const state = smallState({
    tags: cluster,
    nodes: [{ tags: ['kernel:1'] }, { tags: ['kernel:2'] }, { tags: ['kernel:3'] }, {}],
  });
  const allowed = (from: number, to: number): boolean => migrationRefusal(state, from, to) === ALLOWED;

  it('allows what the target has itself, and what it is said to take in', () => {
    expect(allowed(0, 0)).to.equal(true);
    expect(allowed(0, 1)).to.equal(true);
    expect(allowed(1, 2)).to.equal(true);
  });

  it('goes one way and one step', () => {
    expect(migrationRefusal(state, 1, 0)).to.equal(FAIL_MIG);
    expect(migrationRefusal(state, 0, 2)).to.equal(FAIL_MIG);
  });

  it('asks nothing of an instance from a node without such tags, and takes none elsewhere', () => {
    expect(allowed(3, 0)).to.equal(true);
    expect(allowed(0, 3)).to.equal(false);
  });
});
