import { expect } from 'chai';
import {
  desiredLocationPrefixes,
  desiredLocationTagsOf,
  exclusionPrefixes,
  exclusionTagsOf,
  isStandby,
  locationTags,
  migrationTags,
  parsePoolId,
  poolSizesOf,
  poolTagsOf,
  receivableMigrationTags,
} from '../../../../src/htools/cluster/tags/tags.ts';

describe('tags', () => {
  it('take exclusion prefixes from the cluster and leave empty ones out', () => {
    expect(
      exclusionPrefixes(['htools:iextags:service', 'htools:iextags:', 'htools:iextags', 'other']),
    ).to.deep.equal(['service']);
  });

  it('keep an exclusion tag that an instance carries twice', () => {
    expect(exclusionTagsOf(['service:a', 'x', 'service:a', 'servicex'], ['service'])).to.deep.equal([
      'service:a',
      'service:a',
      'servicex',
    ]);
  });

  it('count a desired location once', () => {
    const prefixes = desiredLocationPrefixes(['htools:desiredlocation:power']);
    expect(desiredLocationTagsOf(['power:a', 'power:a', 'rack:1'], prefixes)).to.deep.equal(['power:a']);
  });

  it('take a node tag as a location only behind a colon', () => {
    const found = locationTags(['htools:nlocation:rack'], ['rack:1', 'racket:2', 'rack', 'rack:1']);
    expect([...found]).to.deep.equal(['rack:1']);
  });

  it('let a node receive what the cluster allows for its own migration tags, one step far', () => {
    const cluster = [
      'htools:migration:hv',
      'htools:allowmigration:hv:1::hv:2',
      'htools:allowmigration:hv:0::hv:1',
      'htools:allowmigration:a::b::c',
    ];
    expect([...migrationTags(cluster, ['hv:2', 'x'])]).to.deep.equal(['hv:2']);
    expect([...receivableMigrationTags(cluster, ['hv:2', 'x'])]).to.have.members(['hv:2', 'hv:1']);
    expect([...receivableMigrationTags(cluster, ['hv:0'])]).to.deep.equal(['hv:0']);
  });

  it('mark nodes that may be switched off', () => {
    expect(isStandby(['htools:standby:rack1'])).to.equal(true);
    expect(isStandby(['htools:standby'])).to.equal(false);
  });

  it('name storage pools, and nothing that is none', () => {
    expect(
      ['internal/lvm', 'external/a/b', 'external/', 'shared/x', 'lvm', 'external/a,b'].map(parsePoolId),
    ).to.deep.equal(['internal/lvm', 'external/a/b', undefined, undefined, undefined, undefined]);
    expect(
      poolTagsOf(['htools:storagepool:external/nas', 'htools:storagepool:nas', 'external/x']),
    ).to.deep.equal(['external/nas']);
  });

  it('read pool sizes with units, and list the tags that are broken', () => {
    const { sizes, malformed } = poolSizesOf([
      'htools:poolsize:external/nas:10t:512g',
      'htools:poolsize:external/san:1T',
      'htools:poolsize:external/bad:much',
      'htools:poolsize:external/neg:10:-1',
      'htools:poolsize:nas:1',
    ]);
    expect(Object.fromEntries(sizes)).to.deep.equal({
      'external/nas': { totalMib: 10 * 1024 * 1024, freeMib: 512 * 1024 },
      'external/san': { totalMib: 953674, freeMib: undefined },
    });
    expect(malformed).to.deep.equal([
      'htools:poolsize:external/bad:much',
      'htools:poolsize:external/neg:10:-1',
      'htools:poolsize:nas:1',
    ]);
  });
});
