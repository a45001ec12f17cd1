import { expect } from 'chai';
import * as opcodes from '../../../src/htools/plan/opcodes.ts';

/** Members and their order are a contract: Ganeti's job queue keeps the text, and scripts compare it. */
const TEXTS: readonly (readonly [opcodes.Opcode, string])[] = [
  [
    opcodes.replaceDisks('web', 'node3'),
    '{"OP_ID":"OP_INSTANCE_REPLACE_DISKS","instance_name":"web","early_release":false,"ignore_ipolicy":false,"mode":"replace_new_secondary","disks":[],"remote_node":"node3"}',
  ],
  [
    opcodes.replaceDisksAnywhere('web'),
    '{"OP_ID":"OP_INSTANCE_REPLACE_DISKS","instance_name":"web","early_release":false,"ignore_ipolicy":false,"mode":"replace_new_secondary","disks":[],"iallocator":"hail"}',
  ],
  [
    opcodes.migrate('web'),
    '{"OP_ID":"OP_INSTANCE_MIGRATE","instance_name":"web","allow_runtime_changes":false,"ignore_ipolicy":false,"cleanup":false,"allow_failover":true,"ignore_hvversions":true}',
  ],
  [
    opcodes.migrate('web', 'node3'),
    '{"OP_ID":"OP_INSTANCE_MIGRATE","instance_name":"web","target_node":"node3","allow_runtime_changes":false,"ignore_ipolicy":false,"cleanup":false,"allow_failover":true,"ignore_hvversions":true}',
  ],
  [
    opcodes.failOver('web', 'node3'),
    '{"OP_ID":"OP_INSTANCE_FAILOVER","instance_name":"web","shutdown_timeout":120,"ignore_consistency":false,"target_node":"node3","ignore_ipolicy":false,"cleanup":false}',
  ],
  [
    opcodes.recreateDisks('web'),
    '{"OP_ID":"OP_INSTANCE_RECREATE_DISKS","instance_name":"web","disks":[],"nodes":[],"iallocator":"hail"}',
  ],
  [opcodes.reinstall('web'), '{"OP_ID":"OP_INSTANCE_REINSTALL","instance_name":"web","force_variant":false}'],
  [
    opcodes.delay(10),
    '{"OP_ID":"OP_TEST_DELAY","duration":10,"on_master":true,"on_nodes":[],"repeat":0,"interruptible":false,"no_locks":false}',
  ],
  [
    opcodes.addTags('instance', 'web', ['a', 'b']),
    '{"OP_ID":"OP_TAGS_SET","kind":"instance","tags":["a","b"],"name":"web"}',
  ],
  [
    opcodes.removeTags('node', 'node3', ['a']),
    '{"OP_ID":"OP_TAGS_DEL","kind":"node","tags":["a"],"name":"node3"}',
  ],
  [
    opcodes.setOffline('node3', true),
    '{"OP_ID":"OP_NODE_SET_PARAMS","node_name":"node3","force":false,"offline":true,"auto_promote":false}',
  ],
  [
    opcodes.powerCommand('node3', 'power-off'),
    '{"OP_ID":"OP_OOB_COMMAND","node_names":["node3"],"command":"power-off","timeout":60,"ignore_status":false}',
  ],
  [opcodes.powercycle('node3'), '{"OP_ID":"OP_NODE_POWERCYCLE","node_name":"node3","force":false}'],
];

describe('opcodes', () => {
  it('are all here', () => {
    const made = new Set(TEXTS.map(([opcode]) => opcode.OP_ID));
    expect(made.size).to.equal(Object.keys(opcodes).length - 1);
  });

  for (const [opcode, text] of TEXTS)
    it(`have the members of ${opcode.OP_ID} in Ganeti's order`, () => {
      expect(JSON.stringify(opcode)).to.equal(text);
    });
});
