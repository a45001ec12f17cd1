import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeCluster } from '../../../../bench/generate/cluster.ts';
import { PLAIN_SHAPE } from '../../../../bench/generate/shape.ts';
import { clusterText } from '../../../../bench/generate/text.ts';
import { newFolder } from '../../../builders/folder.ts';
import { runBuilt } from '../../../suite/run-built.ts';

const SMALL_SHAPE = { ...PLAIN_SHAPE, nodesPerGroup: 5, instancesPerNode: 4 };

describe('hspace --after-balancing', () => {
  const folder = newFolder();
  let file: string;
  before(() => {
    file = join(folder, 'c.data');
    writeFileSync(file, clusterText(makeCluster({ ...SMALL_SHAPE, seed: 12 })));
  });

  const documentOf = (options: string, of = file) => {
    const { status, stdout, stderr } = runBuilt(`hspace -t ${of} --json${options}`);
    expect([status, stderr]).to.deep.equal([0, '']);
    return JSON.parse(stdout);
  };

  for (const search of ['', ' --search=deep --effort 0.01 --jobs 1'])
    it(`counts what hspace counts in the cluster that hbal${search} leaves behind`, () => {
      const saved = join(folder, 'saved');
      const balanced = JSON.parse(runBuilt(`hbal -t ${file} --json -S ${saved}${search}`).stdout);
      const { afterBalancing, ...document } = documentOf(` --after-balancing${search}`);
      expect(document).to.deep.equal(documentOf('', `${saved}.balanced`));
      expect(afterBalancing).to.have.length(1);
      expect(afterBalancing[0].steps).to.equal(balanced.steps.length);
      expect(afterBalancing[0].steps).to.be.above(0);
      expect(afterBalancing[0].finalScore).to.equal(balanced.final.score);
    });

  it('says what the balancing takes, beside the keys where scripts read these', () => {
    const { stdout } = runBuilt(`hspace -t ${file} --after-balancing`);
    expect(stdout).to.match(
      /^Counted after balancing:\n {2}\S+: score [\d.]+ to [\d.]+ by \d+ steps that copy [\d.]+ GiB\n/,
    );
    const keys = runBuilt(`hspace -t ${file} --after-balancing --machine-readable`);
    expect(keys.stdout).to.match(/^(HTS_\w+=.*\n)+$/);
    expect(keys.stderr).to.contain('Counted after balancing:');
  });

  it('takes no words about a search that is not asked for, and says so ahead of reading a cluster', () => {
    const { status, stderr } = runBuilt('hspace -t testdata/missing.data --search=deep');
    expect(status).to.equal(1);
    expect(stderr).to.contain('Maybe add --after-balancing').and.not.contain('missing.data');
  });
});
