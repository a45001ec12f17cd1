/** The statements of a claim, in their order and nothing else, with the same driver: what the ledger's own work is measured against. */
import pg from 'pg';

const PROVIDERS = 50;

async function main(): Promise<void> {
  const [url = '', name = '', count = '0'] = process.argv.slice(2);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const providers = (
    await client.query(`SELECT uuid FROM resource_providers ORDER BY name LIMIT ${PROVIDERS}`)
  ).rows;
  const query = (key: string, text: string, values: unknown[] = []) =>
    client.query({ name: key, text, values });
  const one = async (i: number): Promise<void> => {
    const uuid = providers[i % providers.length].uuid;
    const consumer = `${name}-${i}`;
    const now = Date.now();
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    await query(
      'consumer',
      `SELECT k.id, k.uuid, k.generation, k.expires_at, k.created_at, k.updated_at, k.project_id, k.user_id, k.type_id,
         p.external_id AS project, u.external_id AS owner, t.name AS type, a.provider_id, a.class_id, a.used
       FROM consumers k LEFT JOIN projects p ON p.id = k.project_id LEFT JOIN users u ON u.id = k.user_id
         LEFT JOIN consumer_types t ON t.id = k.type_id LEFT JOIN allocations a ON a.consumer_id = k.id
       WHERE k.uuid = ANY($1::text[]) ORDER BY k.uuid, a.provider_id, a.class_id`,
      [[consumer]],
    );
    const { rows } = await query(
      'providers',
      `SELECT p.id, p.uuid, p.name, p.generation, i.class_id, c.name AS class, i.total, i.reserved, i.min_unit, i.max_unit,
         i.step_size, i.allocation_ratio, i.used
       FROM resource_providers p LEFT JOIN inventories i ON i.provider_id = p.id LEFT JOIN resource_classes c ON c.id = i.class_id
       WHERE p.uuid = ANY($1::text[])`,
      [[uuid]],
    );
    const { id: provider, generation, name: providerName } = rows[0];
    const project = (
      await query('project', 'SELECT id FROM projects WHERE external_id = ANY($1::text[])', [[`p${i % 20}`]])
    ).rows[0].id;
    const made = await query(
      'insert consumer',
      `INSERT INTO consumers (uuid, project_id, user_id, type_id, generation, expires_at, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
      [consumer, project, null, null, 1, null, now, now],
    );
    const classes = rows.map((row) => row.class_id);
    const amounts = [2, 2048, 20];
    const [a, b, c] = classes;
    const held = 'INSERT INTO allocations (consumer_id, provider_id, class_id, used, updated_at) VALUES';
    await query('two', `${held} ($1, $2, $3, $4, $5), ($6, $7, $8, $9, $10)`, [
      ...[made.rows[0].id, provider, a, amounts[0], now],
      ...[made.rows[0].id, provider, b, amounts[1], now],
    ]);
    await query('one', `${held} ($1, $2, $3, $4, $5)`, [made.rows[0].id, provider, c, amounts[2], now]);
    const raised = await query(
      'generation',
      'UPDATE resource_providers SET generation = generation + 1, updated_at = $1 WHERE id = $2 AND generation = $3',
      [now, provider, generation],
    );
    if (raised.rowCount !== 1) throw new Error('conflict');
    await query(
      'use',
      `UPDATE inventories SET used = used + CASE class_id WHEN $1 THEN CAST($2 AS BIGINT) WHEN $3 THEN CAST($4 AS BIGINT)
         WHEN $5 THEN CAST($6 AS BIGINT) END WHERE provider_id = $7 AND class_id IN ($8, $9, $10)`,
      [a, amounts[0], b, amounts[1], c, amounts[2], provider, a, b, c],
    );
    const totals = 'INSERT INTO owner_totals (project_id, user_id, type_id, class_id, bucket, used) VALUES';
    const sum =
      'ON CONFLICT (project_id, user_id, type_id, class_id, bucket) DO UPDATE SET used = owner_totals.used + excluded.used';
    const bucket = Number(provider) % 16;
    await query('totals two', `${totals} ($1, $2, $3, $4, $5, $6), ($7, $8, $9, $10, $11, $12) ${sum}`, [
      ...[project, 0, 0, a, bucket, amounts[0]],
      ...[project, 0, 0, b, bucket, amounts[1]],
    ]);
    await query('totals one', `${totals} ($1, $2, $3, $4, $5, $6) ${sum}`, [
      project,
      0,
      0,
      c,
      bucket,
      amounts[2],
    ]);
    await query(
      'history',
      `INSERT INTO history (at, request, actor, reason, action, provider_id, provider_name, generation, consumer, project, before, after)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        now,
        consumer,
        'bench',
        null,
        'claim',
        provider,
        providerName,
        Number(generation) + 1,
        consumer,
        `p${i % 20}`,
        null,
        JSON.stringify({ VCPU: 2, MEMORY_MB: 2048, DISK_GB: 20 }),
      ],
    );
    await client.query('COMMIT');
  };
  for (let i = 0; i < 50; i++) await one(i);
  const cpu = process.cpuUsage();
  const begin = performance.now();
  for (let i = 50; i < 50 + Number(count); i++) await one(i);
  const seconds = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await client.end();
  console.log(JSON.stringify({ count: Number(count), seconds, cpuSeconds: (user + system) / 1e6 }));
}

main();
