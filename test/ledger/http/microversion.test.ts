import { expect } from 'chai';
import { ApiError } from '../../../src/ledger/http/api-error.ts';
import { requestedMinor } from '../../../src/ledger/http/placement.ts';

describe('a microversion', () => {
  const minorOf = (header: string | undefined): number => requestedMinor(header, 39, 40);

  it('is the oldest without a header, or where other services or no version are named', () => {
    const headers = [undefined, '', 'compute 2.1', 'placement'];
    expect(headers.map(minorOf)).to.deep.equal([0, 0, 0, 0]);
  });

  it('is found among other services', () => {
    expect([
      minorOf('compute 2.1, placement 1.17'),
      minorOf('PLACEMENT 1.40'),
      minorOf('placement latest'),
    ]).to.deep.equal([17, 40, 39]);
  });

  it('is refused when there is none of that number, or no number', () => {
    const none = ['1.41', '0.5', '2.0', '1.99999999999999999999', '1.-1', '-1.1'];
    for (const header of none.map((version) => `placement ${version}`))
      expect(() => minorOf(header), header)
        .to.throw(ApiError)
        .with.property('status', 406);
    for (const header of ['placement 1.2.3', 'placement pony', 'placement 1.1e9'])
      expect(() => minorOf(header), header)
        .to.throw(ApiError)
        .with.property('status', 400);
  });
});
