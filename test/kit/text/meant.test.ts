import { expect } from 'chai';
import { meant } from '../../../src/kit/text/meant.ts';

describe('what was probably meant', () => {
  const known = ['--help', '--html', '--cors', '--json', '--exclude-instances'];

  it('has one slip, or one in three letters', () => {
    expect(meant('--exclud-instance', known)).to.equal('--exclude-instances');
    expect(meant('--jason', known)).to.equal('--json');
    expect(meant('--port', known)).to.equal(undefined);
  });

  it('has the same letters in another order', () => {
    expect(meant('--hepl', known)).to.equal('--help');
    expect(meant('--JSON', known)).to.equal('--json');
  });
});
