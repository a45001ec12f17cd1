import { expect } from 'chai';
import { BackendError, InputError, introduced } from '../../src/kit/faults.ts';

describe('faults', () => {
  it('are named after their class, so that a log of a user of the library says more than Error', () => {
    expect(new InputError('x.data', []).name).to.equal('InputError');
    expect(introduced('cannot go on', new BackendError('no answer')).name).to.equal('BackendError');
  });
});
