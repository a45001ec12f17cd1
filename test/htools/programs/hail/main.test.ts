import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { withoutFurtherMembers } from '../../../../bench/htools/compare/strip-members.ts';
import { ROOT, runWords } from '../../../suite/run-built.ts';

const REQUESTS = join(ROOT, 'testdata/hail');

const hail = (args: readonly string[], input = '') => runWords('hail', args, { input });

const requestPath = (name: string): string => join(REQUESTS, `${name}.json`);
const read = (path: string): string => readFileSync(path, 'utf8');

describe('hail', () => {
  const names = readdirSync(REQUESTS)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length));

  for (const name of names) {
    it(`answers ${name} as the stock program does`, () => {
      const { stdout, status } = hail([requestPath(name)]);
      expect(withoutFurtherMembers(stdout)).to.equal(read(join(REQUESTS, `${name}.answer`)));
      expect(status).to.equal(0);
    });
  }

  describe('with the deep search', () => {
    const failedOf = (stdout: string): number => JSON.parse(stdout).result[1].length;

    it('finds a place for both where the stock program leaves the second behind', () => {
      const path = requestPath('node-evacuate-together');
      const { stdout, status } = hail([path, '--search=deep', '--effort=1']);
      expect(status).to.equal(0);
      const { success, info, result } = JSON.parse(stdout);
      expect(success).to.equal(true);
      expect(info).to.equal('Request successful: 0 instances failed to move and 2 were moved successfully');
      const [moved, failed, jobs] = result;
      expect(moved).to.deep.equal([
        ['mail.example.com', 'default', ['node3.example.com']],
        ['db.example.com', 'default', ['node2.example.com']],
      ]);
      expect(failed).to.deep.equal([]);
      const opcode = JSON.parse(hail([path]).stdout).result[2][0][0];
      expect(jobs.flat()).to.deep.equal([
        { ...opcode, target_node: 'node3.example.com' },
        { ...opcode, instance_name: 'db.example.com', target_node: 'node2.example.com' },
      ]);
      expect(failedOf(hail([path]).stdout)).to.equal(1);
    });

    it('answers every other request as without it', () => {
      const others = names.filter((name) => !name.startsWith('node-evacuate'));
      expect(others).to.have.length.above(10);
      for (const name of others)
        expect(hail([requestPath(name), '--search=deep']).stdout, name).to.equal(
          hail([requestPath(name)]).stdout,
        );
    });

    it('leaves no more behind, says why, and is the same for the same effort', () => {
      for (const name of names.filter((one) => one.startsWith('node-evacuate'))) {
        const deep = [requestPath(name), '--search=deep', '--effort=0.1', '--seed=3'];
        const { stdout, status } = hail(deep);
        expect(status, name).to.equal(0);
        expect(failedOf(stdout), name).to.be.at.most(failedOf(hail([requestPath(name)]).stdout));
        expect(hail(deep).stdout, name).to.equal(stdout);
      }
    });

    it('refuses what is said of the search without it', () => {
      const path = requestPath('node-evacuate-together');
      for (const args of [['--effort=1'], ['--time-limit=1'], ['--seed=2']]) {
        const { stdout, stderr, status } = hail([path, ...args]);
        expect(status).to.equal(1);
        expect(stdout).to.equal('');
        expect(stderr).to.include(`${args[0]!.split('=')[0]}: the deep search is not asked for`);
      }
    });
  });

  describe('with several groups in the request', () => {
    it('lists every group that could take the instance, the chosen one first', () => {
      const { stdout } = hail([requestPath('allocate-groups')]);
      const { result, groups, refused } = JSON.parse(stdout);
      expect(groups.map(({ group }: { group: string }) => group)).to.deep.equal([
        'rack-c',
        'rack-a',
        'rack-b',
      ]);
      expect(groups[0]).to.deep.include({ allocPolicy: 'preferred', nodes: result });
      expect(groups[0].score).to.be.closeTo(93.97015317, 1e-8);
      expect(refused).to.deep.equal([]);
    });

    it('lists every group that is left out, and why', () => {
      const { refused } = JSON.parse(hail([requestPath('allocate-network')]).stdout);
      expect(refused).to.have.length(2);
      expect(refused[0]).to.deep.include({ group: 'rack-a', reason: 'allocation', failures: { FailMem: 2 } });
      expect(refused[1]).to.deep.include({ group: 'rack-b', reason: 'network' });
    });

    it('says of many instances which one each entry is about', () => {
      const request = JSON.parse(read(requestPath('allocate-groups')));
      const { type, ...one } = request.request;
      request.request = {
        type: 'multi-allocate',
        instances: [
          { ...one, name: 'one' },
          { ...one, name: 'two' },
        ],
      };
      const { groups } = JSON.parse(hail(['-'], JSON.stringify(request)).stdout);
      expect(groups.map(({ instance }: { instance: string }) => instance)).to.deep.equal([
        'one',
        'one',
        'one',
        'two',
        'two',
        'two',
      ]);
    });

    it('says nothing of the kind where there is one group', () => {
      expect(JSON.parse(hail([requestPath('allocate-pair')]).stdout)).to.have.all.keys(
        'success',
        'info',
        'result',
      );
    });
  });

  describe('where the cluster names storage pools', () => {
    /**
     * The request for a new instance in a pool that the first two nodes reach and that has 1,000 MiB left.
     */
    function pooled(diskMib: number): { success: boolean; info: string; result: string[]; nodes: string[] } {
      const message = JSON.parse(read(requestPath('allocate-pair')));
      const nodes = Object.keys(message.nodes).slice(0, 2);
      for (const [name, node] of Object.entries<{ external_storage_pools?: string[] }>(message.nodes))
        node.external_storage_pools = nodes.includes(name) ? ['nas'] : [];
      message.cluster_tags.push('htools:poolsize:external/nas:9000:1000');
      Object.assign(message.request, {
        memory: 128,
        disk_template: 'ext',
        required_nodes: 1,
        disk_space_total: diskMib,
        disks: [{ size: diskMib, mode: 'rw' }],
        storage_type: 'external',
        storage_pool: 'nas',
      });
      const { stdout } = hail(['-', '--no-capacity-checks'], JSON.stringify(message));
      return { ...JSON.parse(stdout), nodes };
    }

    it('places an instance where its pool is reached', () => {
      const { success, result, nodes } = pooled(1000);
      expect(success).to.equal(true);
      expect(nodes).to.include(result[0]);
    });

    it('names the pool that is too full', () => {
      const { success, info } = pooled(1001);
      expect(success).to.equal(false);
      expect(info).to.match(/FailDisk: \d+ \(pool external\/nas: 1001 MiB needed, 1000 MiB free\)$/);
    });
  });

  describe('asked to empty a node of a super cluster', () => {
    const request = requestPath('node-evacuate-groups');
    const [name, group, nodes] = ['vm-a019.example.com', 'rack-c', ['c06.example.com', 'c04.example.com']];

    it('answers as the stock program does, and says behind it where the others could go', () => {
      const { elsewhere, result } = JSON.parse(hail([request]).stdout);
      expect(result[1].map(([failed]: string[]) => failed)).to.deep.equal([name]);
      expect(elsewhere).to.deep.equal([[name, group, nodes]]);
    });

    it('sends them there when the command line or the request allows it', () => {
      const message = JSON.parse(read(request));
      message.request.allow_intergroup = true;
      const answers = [hail([request, '--allow-intergroup']), hail(['-'], JSON.stringify(message))];
      expect(answers[0]!.stdout).to.equal(answers[1]!.stdout);
      const { result, info, elsewhere } = JSON.parse(answers[0]!.stdout);
      expect(info).to.contain('0 instances failed to move and 8 were moved successfully');
      expect(result[0].at(-1)).to.deep.equal([name, group, nodes]);
      expect(result[2].at(-1).map((op: { remote_node?: string }) => op.remote_node)).to.deep.equal([
        nodes[0],
        undefined,
        nodes[1],
      ]);
      expect(elsewhere).to.equal(undefined);
    });

    it('keeps them where the cluster says so, and tells why when it was asked to move them', () => {
      const message = JSON.parse(read(request));
      message.cluster_tags.push('htools:nointergroup');
      const text = JSON.stringify(message);
      expect(JSON.parse(hail(['-'], text).stdout).elsewhere).to.deep.equal([]);
      const { result } = JSON.parse(hail(['-', '--allow-intergroup'], text).stdout);
      expect(result[1][0][1]).to.match(
        /^Can't find any good nodes .*; it cannot go to another group: the cluster has the tag htools:nointergroup$/,
      );
    });
  });

  it('takes the request from standard input', () => {
    const { stdout } = hail(['-'], read(requestPath('allocate-pair')));
    expect(stdout).to.equal(read(join(REQUESTS, 'allocate-pair.answer')));
  });

  it('keeps to the nodes of --restrict-allocation-to', () => {
    const request = join(ROOT, 'testdata/small-allocate.json');
    expect(JSON.parse(hail([request]).stdout).result).to.include('node1.example.com');
    const nodes = ['node2.example.com', 'node3.example.com'];
    const { stdout } = hail([request, `--restrict-allocation-to=${nodes.join(',')}`]);
    expect(JSON.parse(stdout).result).to.have.members(nodes);
  });

  it('warns of names in --restrict-allocation-to that no node has, such as short ones', () => {
    const request = join(ROOT, 'testdata/small-allocate.json');
    const { stdout, stderr } = hail([request, '--restrict-allocation-to=node2,node3.example.com']);
    expect(JSON.parse(stdout).success).to.equal(false);
    expect(stderr).to.equal('Warning: --restrict-allocation-to: no node has the whole name node2\n');
  });

  describe('in a folder of its own', () => {
    let folder: string;
    const at = (name: string): string => join(folder, name);

    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'evenkeel-hail-'));
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    it('says nothing on standard output, and exits with 1, when the request is broken', () => {
      const whole = read(requestPath('allocate-pair'));
      const broken = [
        '',
        '{',
        whole.slice(0, whole.length / 2),
        '[]',
        '{"request": {}}',
        whole.replace('"allocate"', '"dance"'),
      ];
      for (const text of broken) {
        writeFileSync(at('broken.json'), text);
        const { stdout, stderr, status } = hail([at('broken.json')]);
        expect([stdout, status], text.slice(0, 40)).to.deep.equal(['', 1]);
        expect(stderr).to.match(/\S/);
      }
    });

    it('answers in ASCII when a group has another name', () => {
      const request = JSON.parse(read(requestPath('allocate-pair')));
      for (const group of Object.values<{ name: string }>(request.nodegroups)) group.name = 'grün';
      writeFileSync(at('name.json'), JSON.stringify(request));
      const { stdout } = hail([at('name.json')]);
      expect(stdout).to.match(/^[\x20-\x7e]*\n$/);
      expect(JSON.parse(stdout).info).to.contain('Selected group: grün');
    });

    it('saves the cluster before and after, with the new instance in front', () => {
      hail([requestPath('allocate-single'), '-S', at('saved')]);
      const name = JSON.parse(read(requestPath('allocate-single'))).request.name;
      expect(read(at('saved.pre-ialloc'))).not.to.contain(name);
      const [, , instances] = read(at('saved.post-ialloc')).split('\n\n');
      expect(instances!.startsWith(`${name}|`)).to.equal(true);
    });

    it('says that a saved cluster cannot be read again when two groups have one name', () => {
      const request = JSON.parse(read(requestPath('allocate-single')));
      const [group] = Object.values<{ name: string }>(request.nodegroups);
      request.nodegroups['ffffffff-0000-4000-8000-000000000000'] = group;
      writeFileSync(at('doubled.json'), JSON.stringify(request));
      const { stderr, status } = hail([at('doubled.json'), '-S', at('doubled')]);
      expect(status).to.equal(0);
      const twice = `two groups are called '${group!.name}': the file tells them apart by name\n`;
      for (const suffix of ['pre-ialloc', 'post-ialloc'])
        expect(stderr).to.contain(`Warning: '${at(`doubled.${suffix}`)}' cannot be read again, for ${twice}`);
    });

    it('explains in a file what became of every node', () => {
      const { stdout } = hail([requestPath('allocate-refused'), '--explain', at('why.json')]);
      const why = JSON.parse(read(at('why.json')));
      expect(why).to.include({ schemaVersion: 2, request: 'allocate', success: false });
      expect(`${why.info}`).to.equal(JSON.parse(stdout).info);
      const [{ primaries }] = why.allocations;
      expect(primaries).not.to.have.lengthOf(0);
      for (const { refusal } of primaries) {
        expect(refusal.rule).to.be.a('string');
        if (refusal.mode === 'FailMem') expect(refusal.needed).to.be.at.least(refusal.available);
      }
    });

    it('explains in a file what became of every instance that was to leave a node', () => {
      hail([requestPath('node-evacuate-groups'), '--explain', at('evacuation.json')]);
      const { evacuations, inOtherGroups } = JSON.parse(read(at('evacuation.json')));
      expect(evacuations).to.have.length(8);
      const moved = evacuations.filter(({ moves }: { moves?: unknown }) => moves);
      const stuck = evacuations.filter(({ failure }: { failure?: string }) => failure);
      expect([moved.length, stuck.length]).to.deep.equal([7, 1]);
      expect(stuck[0]).to.include({ instance: 'vm-a019.example.com', failure: 'no-pair' });
      expect(stuck[0].refused[0]).to.include.keys('node', 'role', 'rule', 'needed', 'available');
      expect(inOtherGroups).to.deep.equal([]);
    });

    it('tells with -v, on standard error, what was needed and what there was', () => {
      const { stderr, stdout } = hail([requestPath('allocate-refused'), '-v']);
      expect(stderr).to.match(/: FailMem: [a-z -]+ on \S+ as primary: \d+ MiB needed, -?\d+ there\n/);
      expect(stdout).to.equal(read(join(REQUESTS, 'allocate-refused.answer')));
    });

    it("shows the request with -v in stock's notation, and the instances with -v -v", () => {
      const once = hail([requestPath('allocate-pair'), '-v']).stderr;
      expect(once).to.match(/^Received request: Allocate \(Instance \{name = "[^"]+", .*runSt = Running, /m);
      expect(once).not.to.contain('Received cluster data');
      const twice = hail(['testdata/snapshots/request.json', '-v', '-v']).stderr;
      expect(twice)
        .to.match(/^Received cluster data: 2 instances\n/m)
        .and.contain('runSt = StatusDown, ');
    });

    it('answers even when the explanation cannot be written', () => {
      const { stdout, stderr, status } = hail([
        requestPath('allocate-pair'),
        '--explain',
        at('no/such/folder'),
      ]);
      expect([stdout, status]).to.deep.equal([read(join(REQUESTS, 'allocate-pair.answer')), 0]);
      expect(stderr).to.contain('cannot write');
    });
  });
});
