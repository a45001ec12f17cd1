import { expect } from 'chai';
import { fieldNames } from '../../../../../src/htools/programs/shared/listings/listings.ts';
import {
  DEFAULT_NODE_FIELDS,
  nodeTable,
} from '../../../../../src/htools/programs/shared/listings/node-table.ts';
import type { NodeRow } from '../../../../../src/htools/results/parts/tables.ts';

const load = (cpu: number, disk: number): NodeRow['load'] => ({ cpu, mem: cpu, disk, net: cpu });

const IDLE: NodeRow = {
  index: 2,
  name: 'node3.example.com',
  alias: 'node3',
  isOffline: false,
  failsNPlusOne: false,
  totalMemMib: 16384,
  nodeMemMib: 1024,
  missingMemMib: 0,
  freeMemMib: 15360,
  unallocatedMemMib: 15360,
  instanceMemMib: 0,
  reservedMemMib: 0,
  availableMemMib: 15360,
  totalDiskMib: 102400,
  freeDiskMib: 102400,
  totalCpus: 8,
  usedVcpus: 1,
  primaries: [],
  secondaries: [],
  freeMemShare: 15360 / 16384,
  freeDiskShare: 1,
  vcpuRatio: 1 / 8,
  load: load(0, 0),
  primaryTags: {},
  peers: [],
  spindles: 2,
  maxSpindles: 64,
  instanceSpindles: 0,
};

/** The nodes of the story cluster, as the stock program shows them. */
const ROWS: readonly NodeRow[] = [
  {
    ...IDLE,
    index: 0,
    name: 'node1.example.com',
    alias: 'node1',
    missingMemMib: 292,
    freeMemMib: 7900,
    unallocatedMemMib: 7900,
    instanceMemMib: 7168,
    reservedMemMib: 768,
    availableMemMib: 7132,
    freeDiskMib: 81920,
    usedVcpus: 5,
    primaries: [4, 2, 1, 0],
    secondaries: [5, 3],
    freeMemShare: 7900 / 16384,
    freeDiskShare: 0.8,
    vcpuRatio: 5 / 8,
    load: load(4, 6),
    primaryTags: { 'service:web': 2, 'service:mail': 1 },
    peers: [
      [3, 768],
      [1, 512],
    ],
    spindles: 1,
    maxSpindles: 32,
    instanceSpindles: 5,
  },
  {
    ...IDLE,
    index: 1,
    name: 'node2.example.com',
    alias: 'node2',
    reservedMemMib: 5120,
    availableMemMib: 10240,
    freeDiskMib: 86016,
    usedVcpus: 3,
    primaries: [3],
    secondaries: [2, 1, 0],
    freeDiskShare: 0.84,
    vcpuRatio: 3 / 8,
    load: load(1, 4),
    peers: [[0, 5120]],
    spindles: 1,
    maxSpindles: 32,
    instanceSpindles: 4,
  },
  IDLE,
  {
    ...IDLE,
    index: 3,
    name: 'node4.example.com',
    alias: 'node4',
    isOffline: true,
    missingMemMib: -768,
    unallocatedMemMib: 14592,
    instanceMemMib: 768,
    availableMemMib: 14592,
    freeDiskMib: 98304,
    usedVcpus: 2,
    primaries: [5],
    freeMemShare: 14592 / 16384,
    freeDiskShare: 0.96,
    vcpuRatio: 2 / 8,
    load: load(1, 1),
    spindles: 1,
    maxSpindles: 32,
    instanceSpindles: 1,
  },
];

/** Behind the default fields, as in `-p+ptags,...`. */
const MORE = 'ptags,peermap,plist,slist,idx,fqdn,amem,spindle_count,hi_spindles,inst_spindles,what';

/**
 * What stock hbal prints for the story cluster, cut in two for its width: default fields, then further ones.
 */
const DEFAULT_TABLE = `\
 F Name  t_mem n_mem i_mem x_mem f_mem u_mem r_mem t_dsk f_dsk pcpu vcpu pcnt scnt p_fmem p_fdsk r_cpu  lCpu  lMem  lDsk  lNet
   node1 16384  1024  7168   292  7900  7900   768   100    80    8    5    4    2 0.4822 0.8000  0.62 4.000 4.000 6.000 4.000
   node2 16384  1024     0     0 15360 15360  5120   100    84    8    3    1    3 0.9375 0.8400  0.38 1.000 1.000 4.000 1.000
   node3 16384  1024     0     0 15360 15360     0   100   100    8    1    0    0 0.9375 1.0000  0.12 0.000 0.000 0.000 0.000
 - node4 16384  1024   768  -768 15360 14592     0   100    96    8    2    1    0 0.8906 0.9600  0.25 1.000 1.000 1.000 1.000
`;
const FURTHER_TABLE = `\
 PrimaryTags                  PeerMap           primaries secondaries Index Name              a_mem NodeSpindles MaxSpindles InstSpindles <unknown field>
 service:mail=1,service:web=2 [(3,768),(1,512)] [4,2,1,0]       [5,3]     0 node1.example.com  7132            1        32.0          5.0 <unknown field>
                              [(0,5120)]              [3]     [2,1,0]     1 node2.example.com 10240            1        32.0          4.0 <unknown field>
                              []                       []          []     2 node3.example.com 15360            2        64.0          0.0 <unknown field>
                              []                      [5]          []     3 node4.example.com 14592            1        32.0          1.0 <unknown field>
`;

describe('the node table', () => {
  it('is that of the stock program for the default fields', () => {
    expect(nodeTable(ROWS, DEFAULT_NODE_FIELDS)).to.equal(DEFAULT_TABLE);
  });

  it('is that of the stock program for all other fields and an unknown one', () => {
    expect(nodeTable(ROWS, MORE.split(','))).to.equal(FURTHER_TABLE);
  });

  it('comes in the order of the indices', () => {
    expect(nodeTable(ROWS.toReversed(), DEFAULT_NODE_FIELDS)).to.equal(DEFAULT_TABLE);
  });

  it('marks nodes that fail N+1, unless they are offline', () => {
    const status = (row: Partial<NodeRow>): string =>
      nodeTable([{ ...IDLE, ...row }], ['status']).split('\n')[1]!;
    expect(status({ failsNPlusOne: true })).to.equal(' *');
    expect(status({ failsNPlusOne: true, isOffline: true })).to.equal(' -');
    expect(status({})).to.equal('  ');
  });

  it('rounds disk down to GiB, below zero too', () => {
    expect(nodeTable([{ ...IDLE, freeDiskMib: -1 }], ['fdsk'])).to.equal(' f_dsk\n    -1\n');
  });
});

describe('the fields of the node table', () => {
  it('are the default ones, those named, or the named ones behind the default ones', () => {
    const named = (isExtending: boolean, ...names: string[]) => fieldNames({ isExtending, names });
    expect(named(false)).to.deep.equal(DEFAULT_NODE_FIELDS);
    expect(named(false, 'name', 'pcnt')).to.deep.equal(['name', 'pcnt']);
    expect(named(true, 'ptags')).to.deep.equal([...DEFAULT_NODE_FIELDS, 'ptags']);
  });

  it('show as unknown where the name is empty', () => {
    expect(nodeTable([IDLE], ['name', ''])).to.equal(' Name  <unknown field>\n node3 <unknown field>\n');
  });
});
