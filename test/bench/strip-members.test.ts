import { expect } from 'chai';
import { withoutFurtherMembers } from '../../bench/htools/compare/strip-members.ts';

const ANSWER = '{"success":true,"info":"Group a: \\",\\"groups\\":[]\\"","result":["node1"]';

describe("stock's part of an answer", () => {
  it('ends with the result, whatever stands behind it', () => {
    for (const further of [',"groups":[{"group":"a"}],"refused":[]', ',"elsewhere":[["x","g",["n"]]]'])
      expect(withoutFurtherMembers(`${ANSWER}${further}}\n`)).to.equal(`${ANSWER}}\n`);
  });

  it('is the whole answer where nothing stands behind it, and any text that is no answer', () => {
    for (const text of [`${ANSWER}}\n`, '', 'Error: no request\n', `${ANSWER},"other":[]}\n`])
      expect(withoutFurtherMembers(text)).to.equal(text);
  });
});
