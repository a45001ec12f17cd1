import { expect } from 'chai';
import { readRequest } from '../../../../src/ledger/candidates/request/read-request.ts';
import { dialectOf } from '../../../../src/ledger/candidates/request/reading.ts';
import { ANY_NAME, readQuery } from '../builders/ask.ts';

const UUID = '9323b2b1-82c9-4e91-bdff-e95e808ef954';
const OTHER = '8592a199-7d73-4465-8df6-ab00a6243c82';
const requestOf = (query: string) => readQuery(query).request!;
const problemsOf = (query: string, minor = 40): string[] =>
  (readQuery(query, dialectOf(minor)).problems ?? []).map(
    ({ code, problem }) => `${code?.replace('placement.', '') ?? 'undefined_code'}: ${problem}`,
  );

describe('a candidate query', () => {
  it('is read into groups in the order of suffixes', () => {
    const { groups, limit } = requestOf(
      `limit=7&resources_B=VCPU:2,DISK_GB:5&required_B=A,!B&required_B=in:C,D&resources=X:1&member_of=${UUID}&member_of=!in:${OTHER},${UUID}&in_tree_B=${UUID.toUpperCase()}`,
    );
    expect(groups.map(({ suffix }) => suffix)).to.deep.equal(['', '_B']);
    expect(groups[1]).to.deep.equal({
      suffix: '_B',
      resources: new Map([
        ['VCPU', 2],
        ['DISK_GB', 5],
      ]),
      required: [['A'], ['C', 'D']],
      forbidden: ['B'],
      memberOf: [],
      notMemberOf: [],
      inTree: UUID,
    });
    expect(groups[0]).to.deep.include({ memberOf: [[UUID]], notMemberOf: [OTHER, UUID] });
    expect(limit).to.equal(7);
  });

  it('is told everything that is wrong with it', () => {
    expect(
      problemsOf(
        'resources=VCPU:0,X&limit=0&same_subtree=_A,&isolate=_A&group_policy=none&required_A=in:!X&member_of=a,b',
      ),
    ).to.have.length(7);
  });

  it('refuses what the interface refuses, with its codes', () => {
    for (const [query, code] of [
      ['required_A=T&same_subtree=_A', 'query.missing_value'],
      ['resources=V:1&required_A=T', 'query.bad_value'],
      ['resources_A=V:1&same_subtree=A', 'query.bad_value'],
      ['resources_A=V:1&isolate=_B', 'query.bad_value'],
      ['resources_A=V:1&same_subtree=_A,', 'query.bad_value'],
      ['resources_A=V:1&isolate=,', 'query.bad_value'],
      ['resources=V:1&root_required=A,!A', 'query.bad_value'],
      ['resources=V:1&root_required=A&root_required=B', 'query.duplicate_key'],
      ['resources=V:1&limit=1&limit=2', 'query.duplicate_key'],
      ['resources=V:1&required=A,!A', 'undefined_code'],
      ['resources=V:1&group_policy=some', 'undefined_code'],
      ['resources_A=V:1&isolate=_A&group_policy=none', 'query.bad_value'],
      ['resources=V:1&root_required=in:A,B', 'undefined_code'],
      ['resources=V:1&in_tree=x', 'undefined_code'],
      ['resources=V:1,V:2', 'query.bad_value'],
      ['resources=V:1&required=!!A', 'undefined_code'],
      [`resources${'a'.repeat(65)}=V:1`, 'undefined_code'],
    ] as const)
      expect(
        problemsOf(query).map((text) => text.split(':')[0]),
        query,
      ).to.deep.equal([code]);
  });

  it('is told what is wrong as a whole before what is wrong with its groups', () => {
    for (const wide of ['same_subtree=', 'root_required=A,!A'])
      expect(
        problemsOf(`resources=V:1&in_tree=x&${wide}`, 39).map((text) => text.split(':')[0]),
      ).to.deep.equal(['query.bad_value', 'undefined_code']);
  });

  it('knows which names exist only when all else is in order', () => {
    const { names, finish } = readRequest(
      [
        ['resources', 'NONE:1'],
        ['required', 'A,B'],
      ],
      dialectOf(40),
    );
    expect(names).to.deep.equal({ classes: ['NONE'], traits: ['A', 'B'] });
    const reading = finish({ classes: new Set(), traits: new Set(['B']) });
    expect(reading.problems!.map(({ problem }) => problem)).to.deep.equal([
      'Invalid resource class in resources parameter: No such resource class NONE.',
      'No such trait(s): A.',
    ]);
    expect(
      readRequest([['resources', 'NONE:x']], dialectOf(40)).finish({ ...ANY_NAME, classes: new Set() })
        .problems,
    ).to.have.length(1);
  });
});

describe('older microversions', () => {
  it('do not know what came later', () => {
    const since: readonly (readonly [string, number])[] = [
      ['limit=1', 16],
      ['required=A', 17],
      [`member_of=${UUID}`, 21],
      ['required=!A', 22],
      [`member_of=${UUID}&member_of=${OTHER}`, 24],
      ['resources1=V:1', 25],
      [`in_tree=${UUID}`, 31],
      [`member_of=!${UUID}`, 32],
      ['resources_A=V:1', 33],
      ['root_required=A', 35],
      ['resources_B=V:1&same_subtree=_B', 36],
      ['required=in:A,B', 39],
      [`root_member_of=${UUID}`, 40],
      ['resources_A=V:1&isolate=_A', 40],
      ['resources_A=V:1&resources_B=V:1', 40],
    ];
    for (const [more, minor] of since) {
      expect(problemsOf(`resources=V:1&${more}`, minor), `${more} at 1.${minor}`).to.deep.equal([]);
      expect(
        problemsOf(`resources=V:1&${more}`, minor - 1),
        `${more} at 1.${minor - 1}`,
      ).to.have.length.above(0);
    }
  });

  it('pass over repeats as they always did', () => {
    const read = (query: string, minor: number) => readQuery(query, dialectOf(minor)).request!;
    expect(read('resources=V:1&limit=5&limit=1', 39).limit).to.equal(5);
    expect(read('resources=V:1&required=A&required=B', 38).groups[0]!.required).to.deep.equal([['B']]);
    expect(read('resources=V:1&required=A&required=B', 39).groups[0]!.required).to.deep.equal([['A'], ['B']]);
    expect(read('resources=V:1&required=!!A', 39).groups[0]!.forbidden).to.deep.equal(['A']);
  });
});
