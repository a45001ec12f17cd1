import { expect } from 'chai';

describe('the tests', () => {
  it('are loaded as ES modules: where tsx makes CommonJS of them, each constant of another file is a call', () => {
    expect(typeof require).to.equal('undefined');
  });
});
