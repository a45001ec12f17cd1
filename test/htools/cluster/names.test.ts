import { expect } from 'chai';
import { aliasOf, commonDomain, isFound, lookupName } from '../../../src/htools/cluster/names.ts';

describe('names', () => {
  const names = ['web1.example.com', 'web10.example.com', 'db.a.example.com', 'db.b.example.com', 'mail'];

  it('finds a full name', () => {
    expect(lookupName(names, 'mail')).to.deep.equal({ kind: 'exact', name: 'mail' });
  });

  it('finds the only name that begins with the text and a dot', () => {
    expect(lookupName(names, 'web1')).to.deep.equal({ kind: 'partial', name: 'web1.example.com' });
    expect(lookupName(names, 'db.a')).to.deep.equal({ kind: 'partial', name: 'db.a.example.com' });
  });

  it('prefers a full name to all that begin with it', () => {
    expect(lookupName(['a.b', 'a.c', 'a'], 'a')).to.deep.equal({ kind: 'exact', name: 'a' });
  });

  it('gives the text back when it means several or none', () => {
    expect(lookupName(names, 'db')).to.deep.equal({ kind: 'several', name: 'db' });
    expect(lookupName(names, 'web')).to.deep.equal({ kind: 'none', name: 'web' });
    expect(['db', 'web', 'web1', 'mail'].map((text) => isFound(lookupName(names, text)))).to.deep.equal([
      false,
      false,
      true,
      true,
    ]);
  });

  it('finds the longest ending from a dot on that all names share', () => {
    expect(commonDomain(['n1.a.example.com', 'n2.a.example.com', 'i.b.example.com'])).to.equal(
      '.example.com',
    );
    expect(commonDomain(['xn.example.com', 'n.example.com'])).to.equal('.example.com');
    expect(commonDomain(['only.one.name'])).to.equal('.one.name');
    expect(commonDomain(['a.example.com', 'b.sample.com', 'cample.com'])).to.equal('.com');
    expect(commonDomain(['a.example.com', 'b'])).to.equal('');
    expect(commonDomain([])).to.equal('');
  });

  it('cuts that ending off', () => {
    expect(aliasOf('n1.example.com', '.example.com')).to.equal('n1');
    expect(aliasOf('n1', '')).to.equal('n1');
  });
});
