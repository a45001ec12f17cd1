import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { candidates, explainChoice } from '../../../src/ledger/binding/choice/choose.ts';
import { FILTERS, filtersOf, firstRefusal } from '../../../src/ledger/binding/filters/filters.ts';
import { type Pod, type Question, USUAL_POLICY } from '../../../src/ledger/binding/model/pod.ts';
import { WEIGHERS } from '../../../src/ledger/binding/weighers/weighers.ts';
import { memory } from './books.ts';
import { podWith } from './pods.ts';

const ANY: Question = { az: '', affinity: {}, need: {} };
const refusal = (pod: Partial<Pod>, question: Partial<Question> = {}) => {
  const found = firstRefusal(filtersOf(USUAL_POLICY), podWith(1, pod), { ...ANY, ...question });
  return found && `${found.filter}: ${found.why} (${found.reason})`;
};
const names = (pods: readonly Pod[], weighers: Record<string, number>) =>
  candidates(pods, { ...USUAL_POLICY, weighers }, ANY, null).map(({ pod }) => pod.name);

describe('filters of pods', () => {
  it('are known to the usual policy, each under one name', () => {
    const known = [...FILTERS, ...WEIGHERS].map(({ name }) => name);
    expect(known).to.include.members([...USUAL_POLICY.filters, ...Object.keys(USUAL_POLICY.weighers)]);
    expect(known).to.deep.equal([...new Set(known)]);
  });

  it('and weighers have their words in the manual page', () => {
    const page = readFileSync('man/hbind.1', 'utf8');
    for (const { name } of [...FILTERS, ...WEIGHERS])
      expect(page).to.match(new RegExp(`^\\.TP\n\\.B ${name.replace('-', '\\\\-')}$`, 'm'));
  });

  it('ask for the zone only where one is asked for', () => {
    expect(refusal({ az: 'A' })).to.equal(undefined);
    expect(refusal({ az: 'A' }, { az: 'A' })).to.equal(undefined);
    expect(refusal({ az: 'A' }, { az: 'B' })).to.equal('az: is in zone A (admin)');
    expect(refusal({}, { az: 'B' })).to.equal('az: is in no zone (admin)');
  });

  it('match all pairs of the pod, and keep general pods for general requests', () => {
    const affinity = { resource: 'CAD', disk: 'ssd' };
    expect(refusal({ affinity: { resource: 'CAD' } }, { affinity })).to.equal(undefined);
    expect(refusal({ affinity }, { affinity: { resource: 'CAD' } })).to.equal(
      'affinity: is for disk=ssd (admin)',
    );
    expect(refusal({ affinity: { resource: 'CAD' } })).to.equal('affinity: is for resource=CAD (admin)');
    expect(refusal({}, { affinity })).to.equal('affinity: is for general use (admin)');
  });

  it('name state, limits and amounts with their figures', () => {
    expect(refusal({ state: 'maintenance' })).to.equal('state: is under maintenance (maintenance)');
    expect(refusal({ state: 'closed' })).to.equal('state: is closed (admin)');
    expect(refusal({ usage: memory(900) })).to.equal(
      'exhausted: memory: 900 of 1000 used, limit 0.9 (exhausted)',
    );
    expect(refusal({ usage: memory(10), verdict: { by: 'hspace', size: '1g,1g,1', fits: false } })).to.equal(
      'exhausted: hspace: not one more instance of 1g,1g,1 fits (exhausted)',
    );
    expect(refusal({ usage: memory(800) }, { need: { memory: 200 } })).to.equal(undefined);
    expect(refusal({ usage: memory(800) }, { need: { memory: 201 } })).to.equal(
      'amounts: memory: 201 asked, 200 free (exhausted)',
    );
    expect(refusal({ usage: memory(0) }, { need: { gpu: 1 } })).to.equal('amounts: has no gpu (exhausted)');
    expect(refusal({}, { need: { gpu: 1 } })).to.equal(undefined);
  });
});

describe('weighers of pods', () => {
  const pods = [
    podWith(1, { weight: 3, cost: 10, usage: memory(500) }),
    podWith(2, { weight: 5, usage: memory(250) }),
    podWith(3, { cost: 4, usage: memory(750) }),
  ];

  it('prefer what they are named for; who states nothing is no better than the worst', () => {
    expect(names(pods, { age: 1 })).to.deep.equal(['P1', 'P2', 'P3']);
    expect(names(pods, { age: -1 })).to.deep.equal(['P3', 'P2', 'P1']);
    expect(names(pods, { idle: 1 })).to.deep.equal(['P2', 'P1', 'P3']);
    expect(names(pods, { weight: 1 })).to.deep.equal(['P2', 'P1', 'P3']);
    expect(names(pods, { cost: 1 })).to.deep.equal(['P3', 'P1', 'P2']);
    expect(names(pods, {})).to.deep.equal(['P1', 'P2', 'P3']);
  });

  it('are scaled over the candidates, multiplied and summed', () => {
    const totals = candidates(pods, { ...USUAL_POLICY, weighers: { age: 1, idle: 2 } }, ANY, null).map(
      ({ pod, total }) => [pod.name, total],
    );
    // age 1, 0.5, 0; idle 0.5, 1, 0.
    expect(totals).to.deep.equal([
      ['P2', 2.5],
      ['P1', 2],
      ['P3', 0],
    ]);
  });

  it('give ties to the older, then to the smaller id', () => {
    const twins = [podWith(3, { createdAt: 5 }), podWith(2, { createdAt: 5 }), podWith(1, { createdAt: 9 })];
    expect(names(twins, { idle: 1 })).to.deep.equal(['P2', 'P3', 'P1']);
  });

  it('explain themselves, refused pods with all their reasons behind', () => {
    const words = explainChoice(
      [podWith(1, { state: 'closed', usage: memory(950) }), podWith(2), podWith(3)],
      USUAL_POLICY,
      ANY,
      3,
    );
    expect(words.map(({ pod, place }) => [pod, place])).to.deep.equal([
      ['P2', 1],
      ['P1', null],
      ['P3', null],
    ]);
    expect(words[1]!.filters.filter(({ why }) => why !== null).map(({ filter }) => filter)).to.deep.equal([
      'state',
      'exhausted',
    ]);
    expect(words[0]!.weighings).to.deep.equal([{ weigher: 'age', scaled: 0, multiplier: 1 }]);
  });
});
