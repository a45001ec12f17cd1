import { expect } from 'chai';
import { Forest } from '../../../../src/ledger/candidates/forest/forest.ts';
import { explainNone } from '../../../../src/ledger/candidates/misses/explain.ts';
import { ask, readQuery } from '../builders/ask.ts';
import { MODEL_A, MODEL_B, MODEL_C } from '../builders/models.ts';
import { uuidOf } from '../builders/random-model.ts';

const explain = (model: typeof MODEL_A, query: string): ReturnType<typeof explainNone> => {
  expect(ask(model, query), 'candidates').to.deep.equal([]);
  return explainNone(new Forest(model), readQuery(query).request!);
};
const changesOf = ({ changes }: ReturnType<typeof explainNone>): string[] =>
  changes.map(({ kind, parameter, value }) => `${kind} ${parameter}=${value}`);

describe('an empty answer', () => {
  it('is explained by what has too little left', () => {
    const why = explain(MODEL_A, 'resources_C=VCPU:5');
    expect(why.slots[0]).to.deep.include({ suffix: '_C', classes: ['VCPU'], providers: 6, left: 0 });
    expect(why.slots[0]!.dropped).to.deep.equal({ class: 4, room: 2, trait: 0, aggregate: 0, tree: 0 });
    expect(why.slots[0]!.nearest).to.deep.equal({
      provider: 'numa1',
      step: 'room',
      lacks: { kind: 'amount', class: 'VCPU', asked: 5, rule: 'capacity', limit: 4, capacity: 4, used: 0 },
    });
    expect(changesOf(why)).to.deep.equal(['at most resources_C=VCPU:4']);
  });

  it('is explained by a trait that nobody with the class has', () => {
    const why = explain(MODEL_B, 'resources_V=VF:1&required_V=NET1,HW_NIC_ROOT');
    expect(why.slots[0]!.dropped).to.include({ class: 3, trait: 4 });
    expect(why.slots[0]!.nearest!.lacks).to.deep.equal({
      kind: 'traits',
      missing: ['HW_NIC_ROOT'],
      forbidden: [],
    });
    expect(changesOf(why)).to.deep.equal(['without required_V=HW_NIC_ROOT']);
  });

  it('is explained by the rule between groups that stands in the way', () => {
    const subtree = explain(
      MODEL_A,
      'resources_C=VCPU:3&resources_F=FPGA:1&required_F=!X&in_tree=00000001-0000-4000-8000-000000000000&resources=MEMORY_MB:1&resources_G=FPGA:1&resources_H=FPGA:1&same_subtree=_C,_F,_G,_H',
    );
    expect(subtree.treesWithAll).to.equal(1);
    expect(subtree.blocking).to.include('room together');
    const policy = explain(
      MODEL_C,
      'resources_1=VF:1&resources_2=VF:1&resources_3=VF:1&group_policy=isolate',
    );
    expect(policy.blocking).to.deep.equal(['group policy']);
    expect(changesOf(policy)).to.deep.equal(['without group_policy=isolate']);
    const room = explain(MODEL_C, 'resources_1=VF:3&resources_2=VF:3&resources_3=VF:3');
    expect(room.blocking).to.deep.equal(['room together']);
    expect(changesOf(room)).to.deep.equal([
      'at most resources_1=VF:1',
      'at most resources_2=VF:1',
      'at most resources_3=VF:1',
    ]);
  });

  it('is explained by roots that are not allowed', () => {
    const why = explain(MODEL_B, 'resources=VF:1&root_required=NET1');
    expect(why.roots).to.deep.equal({ all: 1, allowed: 0 });
    expect(changesOf(why)).to.deep.equal(['without root_required=NET1']);
    const aggregates = [MODEL_A[0]!.uuid, MODEL_B[0]!.uuid].join();
    const where = explain(MODEL_B, `resources=VF:1&root_member_of=in:${aggregates}`);
    expect(changesOf(where)).to.deep.equal([`without root_member_of=in:${aggregates}`]);
  });

  it('has changes each of which does bring a candidate', () => {
    const why = explain(MODEL_B, 'resources_V=VF:5&required_V=NET1&resources_W=VF:1&same_subtree=_V,_W');
    expect(changesOf(why)).to.deep.equal(['at most resources_V=VF:3']);
    expect(why.changes[0]!.example).to.deep.equal({ _V: ['pf1_1'], _W: ['pf1_1'] });
  });

  it('names the smallest unit where only that helps, which need not be a multiple of the step', () => {
    const vcpus = { resourceClass: 'VCPU', capacity: 3, used: 0, minUnit: 3, maxUnit: 8, stepSize: 2 };
    const forest = new Forest([{ ...MODEL_A[0]!, inventories: [vcpus] }]);
    const { request } = readQuery('resources=VCPU:4');
    const exempt = explainNone(forest, request!, { stepMode: 'exempt' });
    expect(changesOf(exempt)).to.deep.equal(['at most resources=VCPU:3']);
    expect(changesOf(explainNone(forest, request!))).to.deep.equal([]);
  });

  it('looks at the amounts of providers that have all else, however many others have more', () => {
    const model = Array.from({ length: 20 }, (_, n) => ({
      uuid: uuidOf(1, n),
      name: `node${n}`,
      parentUuid: undefined,
      inventories: [
        { resourceClass: 'VCPU', capacity: n + 1, used: 0, minUnit: 1, maxUnit: 99, stepSize: 1 },
      ],
      traits: n === 3 ? ['FAST'] : [],
      aggregates: [],
    }));
    for (const suffix of ['', '_C'])
      expect(changesOf(explain(model, `resources${suffix}=VCPU:15&required${suffix}=FAST`))).to.deep.equal([
        `without required${suffix}=FAST`,
        `at most resources${suffix}=VCPU:4`,
      ]);
  });
});
