import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { Forest } from '../../../../src/ledger/candidates/forest/forest.ts';
import { readRequest } from '../../../../src/ledger/candidates/request/read-request.ts';
import { FULL_DIALECT } from '../../../../src/ledger/candidates/request/reading.ts';
import { findCandidates } from '../../../../src/ledger/candidates/search/find-candidates.ts';
import { forSeeds } from '../../../builders/seeds.ts';
import { answerTexts } from '../builders/answer-text.ts';
import { ANY_NAME } from '../builders/ask.ts';
import { bruteForce } from '../builders/brute-force.ts';
import { randomModel, randomQuery } from '../builders/random-model.ts';

describe('the search for candidates', () => {
  it('finds what trying all assignments finds', () => {
    let answered = 0;
    let empty = 0;
    forSeeds(600, (seed) => {
      const random = new Random(seed, 'candidates');
      const model = randomModel(random);
      const { request } = readRequest(randomQuery(random, model, { beyond: true }), FULL_DIALECT).finish(
        ANY_NAME,
      );
      if (!request) return;
      const forest = new Forest(model);
      for (const stepMode of ['strict', 'exempt'] as const)
        for (const distinct of ['mappings', 'allocations'] as const) {
          const found = answerTexts(findCandidates(forest, request, { stepMode, distinct }), distinct);
          const expected = bruteForce(model, request, { stepMode, distinct });
          expect(found.toSorted(), `seed ${seed}`).to.deep.equal(expected);
          if (expected.length > 0) answered++;
          else empty++;
          // A limit takes the first of the same list.
          const limit = 1 + (seed % 3);
          const some = answerTexts(
            findCandidates(forest, { ...request, limit }, { stepMode, distinct }),
            distinct,
          );
          expect(some, `seed ${seed}, limit ${limit}`).to.deep.equal(found.slice(0, limit));
        }
    });
    expect(answered).to.be.above(300);
    expect(empty).to.be.above(300);
  });
});
