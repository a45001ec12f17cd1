import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { changeOf, isKnown, knownSurvivors } from '../../bench/mutate/known-survivors.ts';
import { mutantsOf } from '../../bench/mutate/mutants.ts';

const changes = (source: string): string[] => mutantsOf('a.ts', source).map(changeOf);

describe('the mutation tester', () => {
  it('makes one small mistake at a time', () => {
    const source = 'if (a < b && !c) return Math.min(a + 1, 2);';
    const mutants = mutantsOf('a.ts', source);
    expect(mutants.map(({ source: text }) => text)).to.have.members([
      'if (false) return Math.min(a + 1, 2);',
      'if (a < b || !c) return Math.min(a + 1, 2);',
      'if (a <= b && !c) return Math.min(a + 1, 2);',
      'if (a < b && c) return Math.min(a + 1, 2);',
      'if (a < b && !c) return Math.max(a + 1, 2);',
      'if (a < b && !c) return Math.min(a - 1, 2);',
      'if (a < b && !c) return Math.min(a + 0, 2);',
    ]);
    expect(mutants.every(({ line, text }) => line === 1 && text === source)).to.equal(true);
  });

  it('leaves types and imports alone', () => {
    expect(changes("import { a } from './a.ts';\ntype B = true | 0;\ninterface C { d: 1 }")).to.deep.equal(
      [],
    );
  });

  it('knows the survivors that the page lists, and each is still a mutant of the code', () => {
    const known = knownSurvivors();
    expect(known).to.have.length.above(0);
    for (const survivor of known) {
      const mutants = mutantsOf(survivor.path, readFileSync(survivor.path, 'utf8'));
      expect(
        mutants.some((mutant) => isKnown([survivor], mutant)),
        survivor.text,
      ).to.equal(true);
      expect(survivor.reason).to.not.equal('');
    }
  });
});
