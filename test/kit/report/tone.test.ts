import { expect } from 'chai';
import { printableLines } from '../../../src/kit/printable.ts';
import { markTones, showTones, toned, warning, withoutTones } from '../../../src/kit/report/tone.ts';

describe('the tone of a piece', () => {
  afterEach(() => markTones(false));

  it('leaves the text as it is as long as nobody wants colour', () => {
    expect(toned('good', 'fine\n')).to.equal('fine\n');
    expect(warning('low on memory')).to.equal('Warning: low on memory\n');
    expect(withoutTones('a\ue001b\ue000')).to.equal('a\ue001b\ue000');
  });

  it('is shown for its first line only, and is gone where no colour goes', () => {
    markTones(true);
    const text = `ahead ${toned('bad', 'broken\n  details\n')}${toned('deed', 'a=f')}\n${warning('x')}`;
    const shown = showTones(printableLines(text), (tone, piece) => `<${tone}>${piece}</>`);
    expect(shown).to.equal('ahead <bad>broken</>\n  details\n<deed>a=f</>\n<doubtful>Warning: x</>\n');
    expect(withoutTones(text)).to.equal('ahead broken\n  details\na=f\nWarning: x\n');
    expect(toned('good', '')).to.equal('');
  });

  it('is not confused by names with the same characters', () => {
    markTones(true);
    expect(withoutTones(`\ue000\ue002${toned('good', 'ok')}\n\ue001`)).to.equal('\ue000\ue002ok\n\ue001');
    expect(withoutTones(warning('a\ue000b'))).to.equal('Warning: a\ue000b\n');
  });
});
