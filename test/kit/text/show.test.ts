import { expect } from 'chai';
import { showList, showString } from '../../../src/kit/text/show.ts';

describe('texts in the notation of the stock programs', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['node1.example.com', '"node1.example.com"'],
    ['', '""'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['a\tb\nc', '"a\\tb\\nc"'],
    ['\u0000\u001b\u007f', '"\\NUL\\ESC\\DEL"'],
    ['\u000eHe', '"\\SO\\&He"'],
    ['\u000ehe', '"\\SOhe"'],
    ['knöterich', '"kn\\246terich"'],
    ['é1', '"\\233\\&1"'],
    ['😀', '"\\128512"'],
  ];
  for (const [text, shown] of cases) {
    it(`write ${JSON.stringify(text)} as ${shown}`, () => {
      expect(showString(text)).to.equal(shown);
    });
  }

  it('write lists without blanks', () => {
    expect(showList(['1', '2'])).to.equal('[1,2]');
    expect(showList([])).to.equal('[]');
  });
});
