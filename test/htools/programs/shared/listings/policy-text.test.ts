import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../../../../src/htools/cluster/policy.ts';
import { policyLine, showPolicy } from '../../../../../src/htools/programs/shared/listings/policy-text.ts';
import { OPEN_POLICY } from '../../../plan/cluster-builder.ts';

describe('the policy line', () => {
  // Output of stock hbal -vv for a cluster with this policy.
  it('is that of the stock program', () => {
    expect(policyLine(OPEN_POLICY)).to.equal(
      'Loaded cluster ipolicy: IPolicy {iPolicyMinMaxISpecs = [MinMaxISpecs {minMaxISpecsMinSpec = ISpec ' +
        '{iSpecMemorySize = 128, iSpecCpuCount = 1, iSpecDiskSize = 1024, iSpecDiskCount = 1, iSpecNicCount = 1, ' +
        'iSpecSpindleUse = 1}, minMaxISpecsMaxSpec = ISpec {iSpecMemorySize = 32768, iSpecCpuCount = 8, ' +
        'iSpecDiskSize = 1048576, iSpecDiskCount = 16, iSpecNicCount = 8, iSpecSpindleUse = 12}}], ' +
        'iPolicyStdSpec = ISpec {iSpecMemorySize = 128, iSpecCpuCount = 1, iSpecDiskSize = 1024, ' +
        'iSpecDiskCount = 1, iSpecNicCount = 1, iSpecSpindleUse = 1}, ' +
        'iPolicyDiskTemplates = [DTDrbd8,DTPlain,DTExt,DTRbd], iPolicyVcpuRatio = 4.0, iPolicySpindleRatio = 32.0}\n',
    );
  });

  it('parts several ranges by a comma and shows ratios as decimals', () => {
    const policy = { ...OPEN_POLICY, ranges: [], vcpuRatio: 0.05, spindleRatio: 12345678 };
    expect(showPolicy(policy)).to.match(/^IPolicy \{iPolicyMinMaxISpecs = \[\], iPolicyStdSpec/);
    expect(showPolicy(policy)).to.match(/iPolicyVcpuRatio = 5\.0e-2, iPolicySpindleRatio = 1\.2345678e7\}$/);
    const two = { ...OPEN_POLICY, ranges: [...OPEN_POLICY.ranges, ...OPEN_POLICY.ranges] };
    expect(showPolicy(two)).to.contain('iSpecSpindleUse = 12}},MinMaxISpecs {');
  });

  it('knows the names of all templates', () => {
    expect(showPolicy(DEFAULT_POLICY)).to.contain(
      '[DTDiskless,DTFile,DTSharedFile,DTPlain,DTBlock,DTDrbd8,DTRbd,DTExt,DTGluster]',
    );
  });
});
