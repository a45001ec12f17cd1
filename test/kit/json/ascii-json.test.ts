import { expect } from 'chai';
import { encodeAnswer } from '../../../src/kit/json/ascii-json.ts';

describe('the answer as JSON', () => {
  it('has no blanks and keeps the order of its members', () => {
    const line = encodeAnswer({
      success: true,
      info: 'fine',
      result: [['a'], [], 3],
      groups: { z: 1, b: false },
    });
    expect(line).to.equal('{"success":true,"info":"fine","result":[["a"],[],3],"groups":{"z":1,"b":false}}');
  });

  it('is plain ASCII, whatever the names are', () => {
    const name = 'gr\u00fcn "\\ \b\f\n\r\t\u0007 \u{1f600}';
    const encoded = encodeAnswer(name);
    expect(encoded).to.equal('"gr\\u00fcn \\"\\\\ \\b\\f\\n\\r\\t\\u0007 \\ud83d\\ude00"');
    expect(JSON.parse(encoded)).to.equal(name);
  });
});
