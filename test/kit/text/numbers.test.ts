import { expect } from 'chai';
import fc from 'fast-check';
import {
  explainRefusedNumber,
  printfFixed,
  printfGeneral,
  readDouble,
  readInt,
  readsDouble,
  readsInt,
  showDouble,
  showInt,
  showList,
  showString,
} from '../../../src/kit/text/numbers.ts';

/** 2083663470260095.25, as far from ...095.2 as from ...095.3. */
const BETWEEN_TWO_DECIMALS = 8334653881040381 / 4;

describe('numbers as the stock programs write them', () => {
  // Values and texts as the stock programs print them in policies (show) and node lines (printf).
  const shown: [number, string][] = [
    [4, '4.0'],
    [0.1, '0.1'],
    [0.01, '1.0e-2'],
    [0.099, '9.9e-2'],
    [9999999, '9999999.0'],
    [1e7, '1.0e7'],
    [12345678.9, '1.23456789e7'],
    [1e22, '1.0e22'],
    [1e23, '9.999999999999999e22'],
    [1e157, '1.0e157'],
    [2 ** 53, '9.007199254740992e15'],
    [BETWEEN_TWO_DECIMALS, '2.0836634702600953e15'],
    [2 ** -24, '5.960464477539063e-8'],
    [5e-324, '5.0e-324'],
    [0, '0.0'],
    [-0, '-0.0'],
    [-1, '-1.0'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
  ];
  for (const [value, text] of shown) {
    it(`shows ${value} as ${text}`, () => expect(showDouble(value)).to.equal(text));
  }

  it('writes %f in its shortest form', () => {
    const values = [1, 0.001, 1e-7, 99.5, 1e21, 1e23, BETWEEN_TWO_DECIMALS];
    expect(values.map((value) => printfFixed(value))).to.deep.equal([
      '1.0',
      '0.001',
      '0.0000001',
      '99.5',
      '1000000000000000000000.0',
      '99999999999999990000000.0',
      '2083663470260095.3',
    ]);
  });

  it('rounds the decimal form, ties to the even digit', () => {
    expect([0.5, 2.5, 5.5, 6.5, 9.5, 99.5, -0.4].map((value) => printfFixed(value, 0))).to.deep.equal([
      '0',
      '2',
      '6',
      '6',
      '10',
      '100',
      '-0',
    ]);
    expect([0.125, 0.135, 0.165, 1.005, 0.995, 0.0049].map((value) => printfFixed(value, 2))).to.deep.equal([
      '0.12',
      '0.14',
      '0.16',
      '1.00',
      '1.00',
      '0.00',
    ]);
  });

  it('writes %g with decimals, and an exponent outside of 0.1 to 10^7', () => {
    const values = [1.97054699, 6.510417e-4, 1000, 0.05, 12345678.9, 0, 1e7, 0.09999999999];
    expect(values.map((value) => printfGeneral(value, 6))).to.deep.equal([
      '1.970547',
      '6.510417e-4',
      '1000.000000',
      '5.000000e-2',
      '1.234568e7',
      '0.000000',
      '1.000000e7',
      '1.000000e-1',
    ]);
  });

  it('writes whole numbers in full', () => {
    expect([0, -12, 2 ** 53, 1e22].map(showInt)).to.deep.equal([
      '0',
      '-12',
      '9007199254740992',
      '10000000000000000000000',
    ]);
  });

  it('writes every double so that it reads back as itself', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (value) => {
        expect(readDouble(showDouble(value))).to.equal(value);
        expect(readDouble(printfFixed(value))).to.equal(value);
      }),
    );
  });

  it('differs from the exact value by half a unit of the last decimal at most', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (value) => {
        expect(Math.abs(Number(printfFixed(value, 3)) - value)).to.be.at.most(0.0005 + 1e-9);
      }),
    );
  });
});

describe('numbers as the stock programs read them', () => {
  const whole: [string, number | undefined][] = [
    ['5', 5],
    [' 5', 5],
    ['\u00a05', 5],
    ['-5', -5],
    ['- 5', -5],
    ['(5)', 5],
    ['((-5))', -5],
    ['( 5 )', 5],
    ['0x1F', 31],
    ['0X1f', 31],
    ['-0x5', -5],
    ['0o17', 15],
    ['007', 7],
    ['', undefined],
    ['5 ', undefined],
    ['+5', undefined],
    ['--5', undefined],
    ['-(5)', undefined],
    ['(5', undefined],
    ['5.0', undefined],
    ['1e3', undefined],
    ['0b1', undefined],
    ['0o8', undefined],
    ['1_000', undefined],
    ['٥', undefined],
    ['\ufeff5', undefined],
  ];
  for (const [text, value] of whole) {
    it(`reads the Int ${JSON.stringify(text)} as ${value}`, () => expect(readInt(text)).to.equal(value));
  }

  const broken: [string, number | undefined][] = [
    ['5', 5],
    ['1.5', 1.5],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['1e400', Number.POSITIVE_INFINITY],
    ['1e-400', 0],
    ['- 5.5', -5.5],
    ['0x1F', 31],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['(NaN)', Number.NaN],
    ['.5', undefined],
    ['5.', undefined],
    ['nan', undefined],
    ['Infinity5', undefined],
    ['1.5e3.2', undefined],
  ];
  for (const [text, value] of broken) {
    it(`reads the Double ${JSON.stringify(text)} as ${value}`, () =>
      expect(readDouble(text)).to.deep.equal(value));
  }

  it('leaves what stands behind the number', () => {
    expect(readsInt('20g')).to.deep.equal({ value: 20, rest: 'g' });
    expect(readsDouble('1.5e')).to.deep.equal({ value: 1.5, rest: 'e' });
  });

  it('says why a text is refused in the words of the stock programs', () => {
    expect(explainRefusedNumber('5 x', readsInt)).to.equal("leftover characters when parsing '5 x': ' x'");
    expect(explainRefusedNumber('x', readsInt)).to.equal("cannot parse string 'x'");
  });

  it('does not follow parentheses without end', () => {
    expect(readInt('('.repeat(100_000))).to.equal(undefined);
  });
});

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
