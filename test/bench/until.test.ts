import assert from 'node:assert/strict';

import { obstacleAfter, until } from '../../bench/until.js';

describe('waiting for what others are about', () => {
  it('asks until nothing is in the way', async () => {
    const obstacles = ['two are left', 'one is left'];
    assert.equal(await obstacleAfter(10_000, async () => obstacles.shift(), 1), undefined);
    assert.deepEqual(obstacles, []);
  });

  it('says what is still in the way after so long', async () => {
    assert.equal(await obstacleAfter(5, async () => 'one is left', 1), 'one is left');
    await assert.rejects(
      until(5, async () => 'one is left', 1),
      new Error('one is left'),
    );
  });
});
