/** Which options the stock programs take: the beginning of what `--help-completion` says of ours. */
import { expect } from 'chai';
import { words } from '../../src/kit/cli/options/words.ts';
import { normalise } from '../../src/kit/cli/parse/normalise.ts';
import { PROGRAMS, type ProgramName } from '../../src/suite/programs.ts';

/** As Ganeti 3.0 and 3.1 list them. */
const STOCK = {
  hail: `
    print-nodes save text-data simulate verbose ignore-dynu ignore-soft-errors no-capacity-checks
    restrict-allocation-to mond mond-xen static-kvm-node-memory`,
  harep: `luxi job-delay reason dry-run`,
  hbal: `
    print-nodes print-instances print-commands text-data evac-mode restricted-migration master luxi
    ialloc-src exec first-job-group reason group max-length verbose quiet offline static-kvm-node-memory
    min-score max-cpu min-disk min-gain min-gain-limit no-disk-moves select-instances no-instance-moves
    ignore-soft-errors dynu-file ignore-dynu mond mond-data exit-on-missing-mond-data mond-xen
    exclusion-tags exclude-instances save priority`,
  hcheck: `
    text-data no-disk-moves dynu-file ignore-dynu evac-mode exclude-instances exclusion-tags ialloc-src
    no-instance-moves luxi machine-readable max-cpu max-length min-disk min-gain min-gain-limit
    min-score ignore-soft-errors no-simulation offline quiet master select-instances no-capacity-checks
    verbose`,
  hinfo: `
    print-nodes print-instances text-data master luxi ialloc-src verbose quiet offline ignore-dynu mond
    mond-data static-kvm-node-memory`,
  hroller: `
    luxi master text-data ialloc-src offline offline-maintenance verbose quiet no-headers node-tags save
    group print-moves full-evacuation skip-non-redundant ignore-non-redundant force one-step-only
    static-kvm-node-memory`,
  hscan: `print-nodes output-dir luxi verbose no-headers static-kvm-node-memory`,
  hspace: `
    print-nodes text-data disk-template spindle-use simulate master luxi ialloc-src verbose quiet
    independent-groups accept-existing-errors offline no-capacity-checks machine-readable max-cpu
    max-length min-disk standard-alloc tiered-alloc save static-kvm-node-memory`,
  hsqueeze: `
    luxi text-data exec minimal-resources target-resources save print-commands verbose no-headers
    static-kvm-node-memory`,
};

describe('the options of the stock programs', () => {
  for (const [program, names] of Object.entries(STOCK))
    it(`come first in ${program}, and all others are additions`, () => {
      const own = Object.values(PROGRAMS[program as ProgramName].options);
      const stock = own.filter((option) => !option.isAddition).map(({ name }) => name);
      expect(stock).to.deep.equal([...words(names), 'version', 'help', 'help-completion']);
    });

  for (const [program, names] of Object.entries(STOCK))
    it(`can be abbreviated in ${program} as they always could`, () => {
      const own = Object.values(PROGRAMS[program as ProgramName].options);
      const stock = [...words(names), 'version', 'help', 'help-completion'];
      for (const name of stock)
        for (let length = 1; length < name.length; length++) {
          const short = name.slice(0, length);
          if (stock.filter((other) => other.startsWith(short)).length > 1) continue;
          const { uses } = normalise(own, [`--${short}`, '1']);
          expect(uses[0]?.definition.name, `--${short}`).to.equal(name);
        }
    });
});
