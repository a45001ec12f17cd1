import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { applyEdits } from '../../../../src/htools/cluster/edits/apply-edits.ts';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import { lintTags } from '../../../../src/htools/explain/lint/lint.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';

const RAW = parseText(readFileSync('testdata/small.data', 'utf8'), 'small');

/** What is found once the changes are made: kind, subject and tag of each. */
function found(words: string): string[] {
  const edited = applyEdits(RAW, [{ source: 'test', text: words }]);
  const { snapshot } = prepareSnapshot(edited, {});
  return lintTags(snapshot).map(({ kind, subject, tag, problem, remedy }) => {
    expect(problem).to.not.equal('');
    expect(remedy).to.not.equal('');
    return `${kind} ${subject.replaceAll('.example.com', '')} ${tag}`;
  });
}

describe('the linter of tags', () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    '': [],
    'tag instance web1 +htools:pinned:node1 +htools:pinned:node2 +htools:keepoff:node3 +htools:sticky:2.5':
      [],
    'tag node node1 +ssd; tag node node2 +ssd; tag instance web1 +htools:pinned:ssd': [],
    'tag instance db1 +htools:together:x; tag instance db2 +htools:together:x': [],
    'tag instance web1 +htools:nomigrate +htools:sticky +htools:nointergroup; tag cluster +htools:nointergroup':
      [],
    'tag cluster +htools:hands-off; tag group default +htools:hands-off; tag node node1 +htools:hands-off; tag instance web1 +htools:hands-off':
      [],
    'tag instance web1 +htools:pined:node1': ['unknown instance web1 htools:pined:node1'],
    'tag cluster +htools:iextag:service': ['unknown the cluster htools:iextag:service'],
    'tag group default +htools:sticky': ['unknown group default htools:sticky'],
    'tag instance web1 +htools:sticky:very': ['unknown instance web1 htools:sticky:very'],
    'tag instance web1 +htools:sticky:Infinity': ['unknown instance web1 htools:sticky:Infinity'],
    'tag instance web1 +htools:nointergroup:yes': ['unknown instance web1 htools:nointergroup:yes'],
    'tag cluster +htools:hands-off:': ['unknown the cluster htools:hands-off:'],
    'tag instance web1 +htools:together:': ['unknown instance web1 htools:together:'],
    'tag instance web1 +htools:keepoff:node9': ['unmatched instance web1 htools:keepoff:node9'],
    'tag instance web1 +htools:apart:x': ['unmatched instance web1 htools:apart:x'],
    'tag cluster +htools:nlocation:rack': ['unmatched the cluster htools:nlocation:rack'],
    'tag instance web1 +htools:pinned:node1': ['unmeetable instance web1 htools:pinned:node1'],
    'drain node node2; tag instance web1 +htools:pinned:node1 +htools:pinned:node2': [
      'unmeetable instance web1 htools:pinned:node1',
    ],
    'tag instance web1 +htools:pinned:node1 +htools:keepoff:node1': [
      'contradiction instance web1 htools:pinned:node1',
    ],
    'tag instance db1 +htools:together:x +htools:apart:y; tag instance db2 +htools:together:x +htools:apart:y':
      ['contradiction instances db1, db2 htools:together:x'],
    'tag instance db1 +htools:together:x +htools:pinned:node1 +htools:pinned:node2; tag instance db2 +htools:together:x +htools:pinned:node3 +htools:pinned:node4':
      ['contradiction instances db1, db2 htools:together:x'],
    'resize instance db1 memory=20g; resize instance db2 memory=20g; tag instance db1 +htools:together:x; tag instance db2 +htools:together:x':
      ['unmeetable instances db1, db2 htools:together:x'],
    'tag instance db1 +htools:apart:x; tag instance db2 +htools:apart:x; tag instance mail +htools:apart:x; tag instance build +htools:apart:x; tag instance wiki +htools:apart:x':
      ['unmeetable instances db1, db2, mail, build, wiki htools:apart:x'],
  };
  for (const [words, expected] of Object.entries(cases))
    it(words === '' ? 'finds nothing where nothing is wrong' : words, () => {
      expect(found(words)).to.deep.equal(expected);
    });

  it('looks at more nodes than a call takes as arguments', () => {
    const edits = 'tag instance db1 +htools:together:x; tag instance db2 +htools:together:x';
    const { snapshot } = prepareSnapshot(applyEdits(RAW, [{ source: 'test', text: edits }]), {});
    const [node] = snapshot.nodes;
    const more = Array.from({ length: 150_000 }, () => ({ ...node! }));
    expect(lintTags({ ...snapshot, nodes: [...snapshot.nodes, ...more] })).to.be.empty;
  });
});
